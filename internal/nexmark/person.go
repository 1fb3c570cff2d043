package nexmark

import "strconv"

const personExtra = 40

var (
	firstNames = [...]string{"Ada", "Bruno", "Chen", "Dalia", "Emeka", "Freya", "Goran", "Hana", "Imran", "Julia", "Keiko"}
	lastNames  = [...]string{"Abara", "Berg", "Castillo", "Dietrich", "Eze", "Fischer", "Garcia", "Haddad", "Ito"}
)

// places are cities with their states; the six states are those that the Nexmark queries ask for or leave out.
var places = [...]struct{ city, state string }{
	{"Phoenix", "AZ"}, {"Tucson", "AZ"},
	{"Los Angeles", "CA"}, {"San Francisco", "CA"},
	{"Boise", "ID"},
	{"Portland", "OR"}, {"Bend", "OR"},
	{"Seattle", "WA"}, {"Spokane", "WA"},
	{"Cheyenne", "WY"},
}

func (g *generator) appendPerson(dst []byte, event int64) []byte {
	place := places[g.below(int64(len(places)))]
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendInt(dst, firstID+peopleBy(event)-1, 10)
	dst = append(dst, `,"name":"`...)
	dst = append(dst, firstNames[g.below(int64(len(firstNames)))]...)
	dst = append(dst, ' ')
	dst = append(dst, lastNames[g.below(int64(len(lastNames)))]...)
	dst = append(dst, `","emailAddress":"`...)
	dst = append(g.appendWord(dst, 7), '@')
	dst = append(g.appendWord(dst, 5), `.example","creditCard":"`...)
	dst = g.appendCard(dst)
	dst = append(dst, `","city":"`...)
	dst = append(dst, place.city...)
	dst = append(dst, `","state":"`...)
	dst = append(dst, place.state...)
	dst = append(dst, `","dateTime":"`...)
	dst = g.appendTime(dst, g.eventMillis(event))
	dst = append(dst, `","extra":"`...)
	dst = g.appendExtra(dst, personExtra)
	return append(dst, `"}`...)
}

// appendCard appends four groups of four digits.
func (g *generator) appendCard(dst []byte) []byte {
	for group := range 4 {
		if group > 0 {
			dst = append(dst, ' ')
		}
		// The added 10,000 keeps leading zeros; its own digit is cut off.
		var digits [5]byte
		dst = append(dst, strconv.AppendInt(digits[:0], 10_000+g.below(10_000), 10)[1:]...)
	}
	return dst
}
