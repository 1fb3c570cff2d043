package nexmark

import "strconv"

const (
	auctionExtra = 200
	// recentSellers is how many of the latest people open auctions, as in classic Nexmark.
	recentSellers = 1000
	// firstCategory and categories give the categories 10 to 14, as in classic Nexmark.
	firstCategory = 10
	categories    = 5
)

func (g *generator) appendAuction(dst []byte, event int64) []byte {
	at := g.eventMillis(event)
	initial := g.price()
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendInt(dst, firstID+auctionsBy(event)-1, 10)
	dst = append(dst, `,"itemName":"`...)
	dst = g.appendWord(dst, 5+int(g.below(16)))
	dst = append(dst, `","description":"`...)
	dst = g.appendWord(dst, 20+int(g.below(81)))
	dst = append(dst, `","initialBid":`...)
	dst = strconv.AppendInt(dst, initial, 10)
	dst = append(dst, `,"reserve":`...)
	dst = strconv.AppendInt(dst, initial+g.price(), 10)
	dst = append(dst, `,"dateTime":"`...)
	dst = g.appendTime(dst, at)
	dst = append(dst, `","expires":"`...)
	dst = g.appendTime(dst, at+1+g.below(longestAuction(g.Rate)))
	dst = append(dst, `","seller":`...)
	dst = strconv.AppendInt(dst, firstID+g.auctionSeller(event), 10)
	dst = append(dst, `,"category":`...)
	dst = strconv.AppendInt(dst, firstCategory+g.below(categories), 10)
	dst = append(dst, `,"extra":"`...)
	dst = g.appendExtra(dst, auctionExtra)
	return append(dst, `"}`...)
}

// auctionSeller draws the number, from 0, of the person who opens an auction.
func (g *generator) auctionSeller(event int64) int64 {
	registered := peopleBy(event)
	return registered - 1 - g.below(min(registered, recentSellers))
}

// longestAuction returns how long an auction may be open, in milliseconds: twice as long as openAuctions auctions take
// to open at the rate, so that about that many are open at any time.
func longestAuction(rate int64) int64 {
	return 1 + 2*1000*openAuctions*cycle/auctionsPerCycle/rate
}
