package timefmt

import "encoding/binary"

// ParseTimestamp reads `2026-01-01 00:00:00`, with 'T' for the blank if it likes, up to nine digits of a fraction, and then nothing, 'Z' or
// an offset (+01:00, +0100, +01). It returns microseconds since the epoch, digits beyond the sixth cut off. With an offset, zoned is true and
// micros is the instant; without one, micros is the wall clock read as UTC. Years are 0001 to 9999; nothing may stand around the text.
func ParseTimestamp(s []byte) (micros int64, zoned, ok bool) {
	if len(s) < 19 {
		return 0, false, false
	}
	// Eight characters at once: after taking away the expected shape each digit is 0 to 9 and each mark is 0.
	date := binary.LittleEndian.Uint64(s) ^ dateShape
	clock := binary.LittleEndian.Uint64(s[8:]) ^ clockShape
	if s[10] == ' ' {
		clock ^= ('T' ^ ' ') << 16
	}
	if (date|(date+dateLimit)|clock|(clock+clockLimit))&highBits != 0 || s[16] != ':' {
		return 0, false, false
	}
	// Each byte becomes ten times itself plus its right neighbour; two-digit numbers stand where they begin.
	date = date*10 + date>>8
	clock = clock*10 + clock>>8
	year := int64(date&0xff)*100 + int64(date>>16&0xff)
	month := int64(date >> 40 & 0xff)
	day := int64(clock & 0xff)
	hour := int64(clock >> 24 & 0xff)
	minute := int64(clock >> 48 & 0xff)
	tens, ones := s[17]-'0', s[18]-'0'
	if year == 0 || month-1 > 11 || month == 0 || day == 0 || hour > 23 || minute > 59 || tens > 5 || ones > 9 {
		return 0, false, false
	}
	if day > 28 && day > DaysIn(year, month) {
		return 0, false, false
	}
	micros = daysSince(year, month, day)*Day + hour*Hour + minute*Minute + int64(tens*10+ones)*Second
	if len(s) == 19 {
		return micros, false, true
	}
	at := 19
	switch {
	case len(s) == 24 && s[19] == '.' && s[23] == 'Z': // milliseconds, as most of the world writes them
		a, b, c := s[20]-'0', s[21]-'0', s[22]-'0'
		if a > 9 || b > 9 || c > 9 {
			return 0, false, false
		}
		return micros + int64(uint32(a)*100+uint32(b)*10+uint32(c))*Millisecond, true, true
	case s[at] == '.':
		var fraction int64
		if fraction, at = parseFraction(s, at+1); at < 0 {
			return 0, false, false
		}
		micros += fraction
	}
	if at == len(s) {
		return micros, false, true
	}
	if s[at] == 'Z' {
		return micros, true, at+1 == len(s)
	}
	offset, ok := parseOffset(s[at:])
	return micros - offset, true, ok
}

// The shapes of the first and second eight characters, least significant byte first, and what is added to a byte to make its high bit
// show that it is no digit (0x76) or not the mark (0x7f).
const (
	dateShape  = 0x2d_30_30_2d_30_30_30_30 // "0000-00-"
	clockShape = 0x30_30_3a_30_30_54_30_30 // "00T00:00"
	dateLimit  = 0x7f_76_76_7f_76_76_76_76
	clockLimit = 0x76_76_7f_76_76_7f_76_76
	highBits   = 0x80_80_80_80_80_80_80_80
)

// daysSince is DaysOf for the years from 1 on, where plain division rounds the right way.
func daysSince(year, month, day int64) int64 {
	y := uint64(year - 1)
	days := int64(365*y+y/4-y/100+y/400) + daysBefore[month] + day - 1 - epochDay
	if month > 2 && IsLeap(year) {
		days++
	}
	return days
}

// parseFraction reads the digits after the point at s[at:] as microseconds and returns where they end, or -1 if there is none or more than nine.
func parseFraction(s []byte, at int) (micros int64, end int) {
	start := at
	for at < len(s) && s[at]-'0' <= 9 {
		if at-start < 6 {
			micros = micros*10 + int64(s[at]-'0')
		}
		at++
	}
	digits := at - start
	if digits == 0 || digits > 9 {
		return 0, -1
	}
	return micros * fractionScale[min(digits, 6)], at
}

// fractionScale makes microseconds of a fraction with that many digits.
var fractionScale = [...]int64{0, 100_000, 10_000, 1_000, 100, 10, 1}

// parseOffset reads +hh:mm, +hhmm or +hh (or with a minus) as microseconds east of Greenwich, at most 18 hours.
func parseOffset(s []byte) (micros int64, ok bool) {
	if len(s) == 6 && s[3] == ':' {
		s = []byte{s[0], s[1], s[2], s[4], s[5]}
	}
	if (len(s) != 3 && len(s) != 5) || (s[0] != '+' && s[0] != '-') {
		return 0, false
	}
	var n int64
	for _, c := range s[1:] {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(s) == 3 {
		n *= 100
	}
	minutes := n/100*60 + n%100
	if n%100 > 59 || minutes > 18*60 {
		return 0, false
	}
	if s[0] == '-' {
		minutes = -minutes
	}
	return minutes * Minute, true
}
