package timefmt

// ReadDate reads a DATE as CAST from a string does, in days since the epoch. Flink 2.3: year, year-month or year-month-day of one digit or more, blanks
// around each; what follows a blank behind the date is ignored. The year is 1 to 9999.
func ReadDate(s []byte) (days int64, ok bool) {
	for i := 1; i < len(s); i++ {
		if s[i] == ' ' && s[0] != ' ' {
			s = s[:i]
		}
	}
	parts := [3]int64{1, 1, 1}
	for k := range parts {
		end := len(s)
		for i, c := range s {
			if c == '-' && k < 2 {
				end = i
				break
			}
		}
		if parts[k], ok = readNumber(trim(s[:end])); !ok {
			return 0, false
		}
		if end == len(s) {
			return dateOf(parts[0], parts[1], parts[2])
		}
		s = s[end+1:]
	}
	return 0, false
}

func dateOf(year, month, day int64) (days int64, ok bool) {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > DaysIn(year, month) {
		return 0, false
	}
	return DaysOf(year, month, day), true
}

// ReadTime reads a TIME as CAST from a string does, in microseconds since midnight. Flink 2.3: hour, hour:minute or hour:minute:second, of one digit or
// more, blanks around the whole, and a fraction of the second, of which digits beyond the sixth are cut off.
func ReadTime(s []byte) (micros int64, ok bool) {
	s = trim(s)
	units, limits := [3]int64{Hour, Minute, Second}, [3]int64{23, 59, 59}
	for k, unit := range units {
		end := 0
		for end < len(s) && s[end]-'0' <= 9 {
			end++
		}
		n, ok := readNumber(s[:end])
		if !ok || n > limits[k] {
			return 0, false
		}
		micros += n * unit
		if end == len(s) {
			return micros, true
		}
		if k == 2 {
			fraction, at := int64(0), -1
			if s[end] == '.' {
				fraction, at = parseFraction(s, end+1)
			}
			return micros + fraction, at == len(s)
		}
		if s[end] != ':' {
			return 0, false
		}
		s = s[end+1:]
	}
	return 0, false
}

// ReadTimestamp reads a TIMESTAMP as CAST from a string does, in microseconds since the epoch as in UTC. Flink 2.3: a date of four digits, one or two, and
// one or two, and then nothing or a blank and a time of day to the second, with up to nine digits of a fraction. A day beyond the end of its month is the last of
// it, 24:00:00 is midnight at the end of the day. Nothing may stand around the text.
func ReadTimestamp(s []byte) (micros int64, ok bool) {
	if len(s) >= 19 && s[10] == ' ' {
		if micros, zoned, ok := ParseTimestamp(s); ok {
			return micros, !zoned
		}
	}
	year, s, ok1 := readField(s, 4, 4, '-')
	month, s, ok2 := readField(s, 1, 2, '-')
	day, rest, ok3 := readField(s, 1, 2, ' ')
	dateAlone := !ok3
	if dateAlone {
		day, rest, ok3 = readField(s, 1, 2, 0)
	}
	if !ok1 || !ok2 || !ok3 || year < 1 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	micros = DaysOf(year, month, min(day, DaysIn(year, month))) * Day
	if dateAlone {
		return micros, true
	}
	hour, rest, ok1 := readField(rest, 1, 2, ':')
	minute, rest, ok2 := readField(rest, 1, 2, ':')
	fraction := int64(0)
	second, behind, ok3 := readField(rest, 1, 2, '.')
	if ok3 {
		at := 0
		fraction, at = parseFraction(behind, 0)
		ok3 = at == len(behind)
	} else {
		second, _, ok3 = readField(rest, 1, 2, 0)
	}
	ofDay := hour*Hour + minute*Minute + second*Second + fraction
	if !ok1 || !ok2 || !ok3 || minute > 59 || second > 59 || ofDay > Day {
		return 0, false
	}
	return micros + ofDay, true
}

// readField reads a number of so many digits and the mark behind it, or the end of the text for mark 0.
func readField(s []byte, least, most int, mark byte) (n int64, rest []byte, ok bool) {
	end := 0
	for end < len(s) && end < most && s[end]-'0' <= 9 {
		n = 10*n + int64(s[end]-'0')
		end++
	}
	switch {
	case end < least:
		return 0, s, false
	case mark == 0:
		return n, nil, end == len(s)
	case end == len(s) || s[end] != mark:
		return 0, s, false
	}
	return n, s[end+1:], true
}

// readNumber reads up to nine digits and nothing else.
func readNumber(s []byte) (n int64, ok bool) {
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, len(s) > 0 && len(s) < 10
}

// trim takes blanks away at both ends.
func trim(s []byte) []byte {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}
