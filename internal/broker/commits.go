package broker

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// commits note in the folder that a transaction is about to be committed, before the cluster commits it partition by partition. A kill in between is made up for when the folder is opened
// (see unended), so that it is committed everywhere or nowhere. It is about one transaction at a time: the cluster commits one before it looks at the next request.
type commits struct {
	path    string // of the note
	offsets map[transaction][]groupOffset
}

// transaction is the newest of a producer, and with its epoch no other.
type transaction struct {
	producer int64
	epoch    int16
}

// commitName is the file of the note.
const commitName = "commit.json"

// commit is the note.
type commit struct {
	Producer int64         `json:"producer"`
	Epoch    int16         `json:"epoch"`
	Offsets  []groupOffset `json:"offsets"`
}

// groupOffset is an offset that a transaction commits for a group, as the cluster has it in groups.log.
type groupOffset struct {
	Type      string  `json:"type"`
	Group     string  `json:"g"`
	Topic     string  `json:"t"`
	Partition int32   `json:"p"`
	Offset    int64   `json:"o"`
	Epoch     int32   `json:"e"`
	Metadata  *string `json:"m,omitempty"`
	Committed int64   `json:"lc"` // milliseconds
}

// noteOffsets looks at offsets that become part of a transaction.
func (b *Broker) noteOffsets(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	r := request.(*kmsg.TxnOffsetCommitRequest)
	of := transaction{r.ProducerID, r.ProducerEpoch}
	maps.DeleteFunc(b.commits.offsets, func(t transaction, _ []groupOffset) bool { return t.producer == of.producer && t != of })
	for _, t := range r.Topics {
		name := t.Topic
		if info := b.cluster.TopicIDInfo(t.TopicID); name == "" && info != nil {
			name = info.Topic
		}
		for _, p := range t.Partitions {
			o := groupOffset{"commit", r.Group, name, p.Partition, p.Offset, p.LeaderEpoch, p.Metadata, time.Now().UnixMilli()}
			b.commits.offsets[of] = append(b.commits.offsets[of], o)
		}
	}
	return nil, nil, false
}

// noteEnd looks at the end of a transaction. Before version 5 of the request the epoch does not tell one transaction from the next, and there is no note.
func (b *Broker) noteEnd(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	r := request.(*kmsg.EndTxnRequest)
	of := transaction{r.ProducerID, r.ProducerEpoch}
	offsets := b.commits.offsets[of]
	delete(b.commits.offsets, of)
	if !r.Commit || r.Version < 5 {
		return nil, nil, false
	}
	raw, err := json.Marshal(commit{r.ProducerID, r.ProducerEpoch, offsets})
	if err == nil {
		// A kill leaves what the system was given, so nothing is brought to the disk here.
		if err = os.WriteFile(b.commits.path+".tmp", raw, 0o644); err == nil {
			err = os.Rename(b.commits.path+".tmp", b.commits.path)
		}
	}
	if err != nil {
		b.storage.Logf(kfake.LogLevelError, "note: %v", err)
	}
	return nil, nil, false
}

// begun reads the note of a broker that was killed, if what it is about did not come to its end.
func begun(dir string) (*commit, error) {
	var c commit
	raw, err := os.ReadFile(filepath.Join(dir, commitName))
	if errors.Is(err, fs.ErrNotExist) || err == nil && json.Unmarshal(raw, &c) != nil {
		return nil, nil // one that was not written to its end is of a commit that was not begun
	}
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	producers, err := readProducers(dir)
	p, known := producers[c.Producer]
	if !known || p.Epoch != c.Epoch || p.Type != "init" {
		return nil, err
	}
	return &c, nil
}

// is reports whether c is about a transaction.
func (c *commit) is(id int64, epoch int16) bool {
	return c != nil && c.Producer == id && c.Epoch == epoch
}

// producer is an entry of pids.log.
type producer struct {
	Type    string `json:"type"` // init, endtx or timeout
	ID      int64  `json:"pid"`
	Epoch   int16  `json:"epoch"`
	TxID    string `json:"txid,omitempty"`
	Timeout int32  `json:"timeout,omitempty"`
	Commit  *bool  `json:"commit,omitempty"`
}

// readProducers reads the last entry of every producer. Those behind the first have neither id nor timeout of their own.
func readProducers(dir string) (map[int64]producer, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "pids.log"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	all := map[int64]producer{}
	for entry := range entries(raw) {
		var p producer
		if json.Unmarshal(entry, &p) != nil {
			continue
		}
		if before, ok := all[p.ID]; ok && p.Type != "init" {
			p.TxID, p.Timeout = before.TxID, before.Timeout
		}
		all[p.ID] = p
	}
	return all, nil
}

// complete commits the offsets of c and says that it is over, behind the markers of its partitions.
func (c *commit) complete(dir string) error {
	var offsets [][]byte
	for _, o := range c.Offsets {
		raw, err := json.Marshal(o)
		if err != nil {
			return err
		}
		offsets = append(offsets, raw)
	}
	if err := appendEntries(filepath.Join(dir, "groups.log"), offsets); err != nil {
		return err
	}
	producers, err := readProducers(dir)
	if err != nil {
		return err
	}
	yes, p := true, producers[c.Producer]
	p.Type, p.Epoch, p.Commit = "init", c.Epoch+1, &yes
	next, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return appendEntries(filepath.Join(dir, "pids.log"), [][]byte{next})
}
