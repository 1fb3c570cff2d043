package broker

import "sync"

// appendedAt is a place in a topic: the offset of the first record of a batch. The topic is its name or the bytes of its id, as the request has it.
type appendedAt struct {
	topic     string
	partition int32
	offset    int64
}

// appended keeps when batches got the broker's time, from the request until its answer is written.
type appended struct {
	mu    sync.Mutex
	times map[appendedAt]int64
	order []appendedAt
}

// waitingAnswers is how many batches are kept at most. An answer whose connection broke never takes its own.
const waitingAnswers = 4096

func (a *appended) note(at appendedAt, now int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.times == nil {
		a.times = map[appendedAt]int64{}
	}
	a.times[at] = now
	if a.order = append(a.order, at); len(a.order) > waitingAnswers {
		delete(a.times, a.order[0])
		a.order = a.order[1:]
	}
}

// take is the time of a batch, in milliseconds since the epoch; ok says whether the broker gave it.
func (a *appended) take(at appendedAt) (now int64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, ok = a.times[at]
	delete(a.times, at)
	return now, ok
}
