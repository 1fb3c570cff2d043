package nexmark

import "strconv"

// bidExtra makes a line of bids 223 bytes long on average, as in the classic benchmark's JSON.
const bidExtra = 30

// openAuctions is how many of the latest auctions take bids, as in classic Nexmark.
const openAuctions = 100

// appendBid appends a bid: half of all bids go to the hot auction of the moment, the others to any open one.
func (g *generator) appendBid(dst []byte, event int64) []byte {
	dst = append(dst, `{"auction":`...)
	dst = strconv.AppendInt(dst, firstID+g.bidAuction(event), 10)
	dst = append(dst, `,"bidder":`...)
	dst = strconv.AppendInt(dst, firstID+g.below(g.Keys), 10)
	dst = append(dst, `,"price":`...)
	dst = strconv.AppendInt(dst, g.price(), 10)
	dst = append(dst, `,"channel":"`...)
	channel := g.channels.draw(&g.random)
	dst = g.channels.appendName(dst, channel)
	dst = append(dst, `","url":"`...)
	dst = g.channels.appendURL(dst, channel)
	dst = append(dst, `","dateTime":"`...)
	dst = g.appendTime(dst, g.eventMillis(event))
	dst = append(dst, `","extra":"`...)
	dst = g.appendExtra(dst, bidExtra)
	return append(dst, `"}`...)
}

// bidAuction draws the number, from 0, of the auction that a bid goes to.
func (g *generator) bidAuction(event int64) int64 {
	last := auctionsBy(event) - 1
	if g.below(2) == 0 {
		return last / openAuctions * openAuctions
	}
	return last - g.below(min(last+1, openAuctions))
}

// channels are the places bids come from: four well-known ones that share half of the bids, numbered below 0, and
// 10,000 small ones, numbered from 0. A channel has one URL for the whole file.
type channels struct{ seed uint64 }

var hotChannels = [...]string{"Google", "Facebook", "Baidu", "Apple"}

const coldChannels = 10_000

// channelSequences sets the random sequences of the channels apart from those of the tables.
const channelSequences = 1 << 32

func (channels) draw(r *random) int64 {
	if r.below(2) == 0 {
		return -1 - r.below(int64(len(hotChannels)))
	}
	return r.below(coldChannels)
}

func (channels) appendName(dst []byte, channel int64) []byte {
	if channel < 0 {
		return append(dst, hotChannels[-1-channel]...)
	}
	return strconv.AppendInt(append(dst, "channel-"...), channel, 10)
}

// appendURL appends a URL whose three folders and channel_id belong to the channel. As in classic Nexmark the
// well-known channels carry no channel_id, and neither does one in ten of the small ones.
func (c channels) appendURL(dst []byte, channel int64) []byte {
	var own random
	own.pcg.Seed(c.seed, uint64(channelSequences+channel))
	dst = append(dst, "https://nexmark.example/"...)
	for range 3 {
		dst = append(own.appendWord(dst, 5), '/')
	}
	dst = append(dst, "item.htm?query=1"...)
	if channel < 0 || own.below(10) == 0 {
		return dst
	}
	dst = append(dst, "&channel_id="...)
	return strconv.AppendInt(dst, own.below(1<<30), 10)
}
