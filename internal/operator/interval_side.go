package operator

// grow makes room for keys that were just numbered.
func (s *intervalSide) grow(keys int) {
	s.first, s.last = extended(s.first, keys), extended(s.last, keys)
}

// note remembers of the row that was held last its time and key.
func (s *intervalSide) note(t int64, key uint32, keyless bool) {
	if keyless {
		key = noKey
	}
	s.time, s.key = append(s.time, t), append(s.key, key)
	s.matched = append(s.matched, false)
	s.next, s.prev = append(s.next, 0), append(s.prev, 0)
}

// chain puts a row behind the others of its key.
func (s *intervalSide) chain(row int32) {
	key := s.key[row]
	s.prev[row] = s.last[key]
	if s.last[key] == 0 {
		s.first[key] = row + 1
	} else {
		s.next[s.last[key]-1] = row + 1
	}
	s.last[key] = row + 1
}

// forget lets go of a row that was kept.
func (s *intervalSide) forget(row int32) {
	s.held.gone++
	key := s.key[row]
	if key == noKey {
		return
	}
	before, behind := s.prev[row], s.next[row]
	if before == 0 {
		s.first[key] = behind
	} else {
		s.next[before-1] = behind
	}
	if behind == 0 {
		s.last[key] = before
	} else {
		s.prev[behind-1] = before
	}
}
