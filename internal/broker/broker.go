package broker

import (
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
)

// Options start a Broker. The zero value is a broker in memory on a free port of the loopback interface that asks nobody who he is.
type Options struct {
	// Dir keeps the topics between runs; it is made if it is not there. Empty keeps them in memory.
	Dir string
	// Listen is the address to listen on, host:port; empty means a free port of 127.0.0.1. The host is also what clients are told to
	// connect to, so it is a name or an address that they can reach.
	Listen string
	// TLS encrypts connections; nil leaves them plain.
	TLS *tls.Config
	// Users are names and passwords for SASL/PLAIN. With none, nobody has to say who he is, and who writes to a topic that is not there makes it.
	Users map[string]string
	// Note is told, a line each, what people should know about the folder and what goes on by itself; nil tells nobody. It is called from any
	// goroutine, and must not call the broker.
	Note func(string)
}

// Broker is a running broker. It is safe for concurrent use.
type Broker struct {
	cluster  *kfake.Cluster
	storage  *storage
	server   server
	appended appended
	commits  commits // with a folder
	close    sync.Once
	lock     *folders.Claimed // nil in memory
}

// Start starts a broker. An error is of class fault.External, or fault.User if another process has the folder. A folder that is damaged is an error,
// which says where and what to do; what a broker that was killed left unfinished is cut off.
func Start(o Options) (*Broker, error) {
	listen := o.Listen
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	if host, _, err := net.SplitHostPort(listen); err != nil || host == "" || net.ParseIP(host).IsUnspecified() {
		return nil, fault.Errorf(fault.User, "the broker cannot listen on '%s': write a host that clients can connect to and a port, such as localhost:9092", listen)
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	b := &Broker{storage: &storage{dir: o.Dir, note: o.Note}}
	options := []kfake.Opt{
		kfake.WithLogger(b.storage),
		kfake.NumBrokers(1),
		kfake.ClusterID("tidemark"),
		kfake.DefaultNumPartitions(1),
		kfake.ListenFn(func(network, _ string) (net.Listener, error) {
			l, err := net.Listen(network, listen)
			if err != nil {
				return nil, err
			}
			if o.TLS != nil {
				l = tls.NewListener(l, o.TLS)
			}
			return listener{l, &b.appended}, nil
		}),
	}
	if o.Dir != "" {
		lock, err := folders.Claim(o.Dir, "data folder")
		if err != nil {
			return nil, fault.Errorf(fault.Of(err), "start the embedded broker: %w", err)
		}
		b.lock = lock
		if err = (folder{o.Dir, o.Note}).inspect(); err == nil {
			err = b.server.load(o.Dir)
		}
		if err != nil {
			b.unlock()
			return nil, fault.Errorf(fault.Of(err), "start the embedded broker: %w", err)
		}
		options = append(options, kfake.DataDir(o.Dir))
	}
	if len(o.Users) > 0 {
		options = append(options, kfake.EnableSASL())
		for name, password := range o.Users {
			options = append(options, kfake.Superuser("PLAIN", name, password))
		}
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		b.unlock()
		return nil, fault.Errorf(fault.External, "start the embedded broker: %w", err)
	}
	b.cluster = cluster
	cluster.ControlKey(int16(kmsg.Produce), b.enforceTimestamps)
	if len(o.Users) == 0 { // requests come here before it is known whose they are
		cluster.ControlKey(int16(kmsg.Metadata), b.makeNamed)
	}
	cluster.ControlKey(int16(kmsg.CreateTopics), b.enforceRules)
	cluster.ControlKey(int16(kmsg.CreatePartitions), b.enforceRules)
	cluster.ControlKey(int16(kmsg.AlterConfigs), b.enforceSettings)
	cluster.ControlKey(int16(kmsg.IncrementalAlterConfigs), b.enforceSettings)
	if o.Dir != "" {
		b.commits = commits{filepath.Join(o.Dir, commitName), map[transaction][]groupOffset{}}
		cluster.ControlKey(int16(kmsg.TxnOffsetCommit), b.noteOffsets)
		cluster.ControlKey(int16(kmsg.EndTxn), b.noteEnd)
		os.Remove(filepath.Join(o.Dir, sealName)) // from here on it does not hold
	}
	return b, nil
}

// Addr is where clients connect, host:port.
func (b *Broker) Addr() string { return b.cluster.ListenAddrs()[0] }

// Compact removes what compaction removes, which otherwise happens from time to time.
func (b *Broker) Compact() { b.cluster.Compact() }

// Trouble is why the broker could not write to its folder the last time that it could not, nil if it always could. Who sends records is answered
// UNKNOWN_SERVER_ERROR then.
func (b *Broker) Trouble() error { return b.storage.last() }

// Close stops the broker. With a folder everything is there when it is started again; it may be closed more than once.
func (b *Broker) Close() {
	b.close.Do(func() {
		before := b.Trouble()
		b.cluster.Close()
		if dir := b.storage.dir; dir != "" && b.Trouble() == before {
			if err := writeSeal(dir); err != nil {
				b.storage.Logf(kfake.LogLevelError, "seal: %v", err)
			}
		}
		b.unlock()
	})
}

func (b *Broker) unlock() {
	if b.lock != nil {
		b.lock.Release()
	}
}
