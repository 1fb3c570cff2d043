package timefmt

import "strconv"

// EventTime writes an event time for people, to the millisecond; instant says that it is one, and gets a Z.
func EventTime(micros int64, instant bool) string {
	return string(AppendTimestamp(nil, micros, 3, ' ', instant))
}

// AppendTimestamp writes an instant as date, sep (' ' or 'T') and time of day with precision (0 to 9) fractional digits, cut off rather than
// rounded, and 'Z' after it if zulu. A year beyond 9999 gets a '+', one before 0000 a '-'.
func AppendTimestamp(dst []byte, micros int64, precision int, sep byte, zulu bool) []byte {
	days := FloorDiv(micros, Day)
	rest := uint64(micros - days*Day)
	year, month, day := DateOf(days)
	if uint64(year) > 9999 {
		dst = appendFarYear(dst, year)
	} else {
		dst = append2(append2(dst, uint64(year)/100), uint64(year)%100)
	}
	clock := rest / uint64(Second)
	hour := clock / 3600
	minute := clock / 60 % 60
	m, d, h, mi, s := 2*month, 2*day, 2*hour, 2*minute, 2*(clock%60)
	dst = append(dst, '-', pairs[m], pairs[m+1], '-', pairs[d], pairs[d+1], sep,
		pairs[h], pairs[h+1], ':', pairs[mi], pairs[mi+1], ':', pairs[s], pairs[s+1])
	if precision > 0 {
		dst = appendFraction(dst, rest-clock*uint64(Second), precision)
	}
	if zulu {
		dst = append(dst, 'Z')
	}
	return dst
}

// pairs are the numbers 00 to 99.
const pairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" + "30313233343536373839" + "40414243444546474849" +
	"50515253545556575859" + "60616263646566676869" + "70717273747576777879" + "80818283848586878889" + "90919293949596979899"

// append2 writes n < 100 with two digits.
func append2(dst []byte, n uint64) []byte { return append(dst, pairs[2*n], pairs[2*n+1]) }

// appendFarYear writes a year that has a sign.
func appendFarYear(dst []byte, year int64) []byte {
	if year > 9999 {
		return strconv.AppendInt(append(dst, '+'), year, 10)
	}
	text := strconv.FormatInt(-year, 10)
	dst = append(dst, '-')
	for range 4 - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

// appendFraction writes a point and the first precision digits of a fraction of a second given in microseconds.
func appendFraction(dst []byte, micros uint64, precision int) []byte {
	high, middle, low := 2*(micros/10_000), 2*(micros/100%100), 2*(micros%100)
	digits := [...]byte{'.', pairs[high], pairs[high+1], pairs[middle], pairs[middle+1], pairs[low], pairs[low+1], '0', '0', '0'}
	return append(dst, digits[:precision+1]...)
}

// AppendDayInterval writes a day-time interval of so many microseconds as Flink casts it to a string: +1 02:03:04.005, always signed, with three
// fractional digits, or six when microseconds need them.
func AppendDayInterval(dst []byte, micros int64) []byte {
	dst, n := appendSign(dst, micros)
	dst = strconv.AppendUint(dst, n/uint64(Day), 10)
	clock := n / uint64(Second) % 86400
	dst = append2(append(dst, ' '), clock/3600)
	dst = append2(append(dst, ':'), clock/60%60)
	dst = append2(append(dst, ':'), clock%60)
	precision := 3
	if n%1000 != 0 {
		precision = 6
	}
	return appendFraction(dst, n%uint64(Second), precision)
}

// AppendMonthInterval writes a year-month interval of so many months as Flink casts it to a string: +1-02.
func AppendMonthInterval(dst []byte, months int64) []byte {
	dst, n := appendSign(dst, months)
	dst = strconv.AppendUint(dst, n/12, 10)
	return append2(append(dst, '-'), n%12)
}

// appendSign writes the sign of n and returns its magnitude, which for the least int64 only fits unsigned.
func appendSign(dst []byte, n int64) ([]byte, uint64) {
	if n < 0 {
		return append(dst, '-'), -uint64(n)
	}
	return append(dst, '+'), uint64(n)
}

// AppendDate writes days since the epoch as yyyy-MM-dd; far years as AppendTimestamp does.
func AppendDate(dst []byte, days int64) []byte {
	year, month, day := DateOf(days)
	if uint64(year) > 9999 {
		dst = appendFarYear(dst, year)
	} else {
		dst = append2(append2(dst, uint64(year)/100), uint64(year)%100)
	}
	return append2(append(append2(append(dst, '-'), uint64(month)), '-'), uint64(day))
}

// AppendTime writes microseconds since midnight as HH:mm:ss with precision (0 to 9) fractional digits, cut off rather than rounded.
func AppendTime(dst []byte, micros int64, precision int) []byte {
	clock := uint64(micros / Second)
	dst = append2(append(append2(append(append2(dst, clock/3600), ':'), clock/60%60), ':'), clock%60)
	if precision > 0 {
		dst = appendFraction(dst, uint64(micros%Second), precision)
	}
	return dst
}
