package connector

// Misread is a record that was left out because it cannot be read, for a table that keeps such records. It owns its bytes.
type Misread struct {
	// Code says which part of the record it is about.
	Code MisreadCode
	// Message is what is wrong. Details say more, by name; no name is there twice.
	Message string
	Details []Detail
	// Origin is the topic or the file, and Offset where in it the record is: its offset in the partition, or the byte at which it begins.
	Origin string
	Offset int64
	// Topic is nil for records of files and the like.
	Topic *TopicRecord
	// Value is the value of a record of a topic, nil without one, and elsewhere the whole record.
	Value []byte
}

// MisreadCode tells parts of records that cannot be read apart. The numbers are in tables of people and stay.
type MisreadCode int32

// The codes.
const (
	MisreadValue MisreadCode = 1
	MisreadKey   MisreadCode = 2
)

// String is the reason in words.
func (c MisreadCode) String() string {
	if c == MisreadKey {
		return "the key cannot be read"
	}
	return "the record cannot be read"
}

// Detail is something that is known of a record that cannot be read.
type Detail struct{ Name, Text string }

// TopicRecord is what a topic knows of a record beside its value.
type TopicRecord struct {
	Partition int64
	// Timestamp is in microseconds, and its type spelled as in the metadata column 'timestamp-type'.
	Timestamp     int64
	TimestampType string
	Headers       []Header
	Key           []byte // nil without one
}

// Header is a header of a record. Of several with one name there is only the last.
type Header struct {
	Name  string
	Value []byte // nil for NULL
}
