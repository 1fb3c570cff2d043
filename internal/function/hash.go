package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Digests of the bytes of a string, or of bytes, in lower-case hexadecimal.
var hashFunctions = []Scalar{
	hashRow("MD5", "MD5 digest, 32", "900150983cd24fb0d6963f7d28e17f72", appendMD5),
	hashRow("SHA1", "SHA-1 digest, 40", "a9993e364706816aba3e25717850c26c9cd0d89d", appendSHA1),
	hashRow("SHA224", "SHA-224 digest, 56", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7", appendSHA224),
	hashRow("SHA256", "SHA-256 digest, 64", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", appendSHA256),
	hashRow("SHA384", "SHA-384 digest, 96",
		"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7", appendSHA384),
	hashRow("SHA512", "SHA-512 digest, 128",
		"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f", appendSHA512),
	{
		Name: "SHA2", Family: FamilyEncoding,
		Signatures: []string{"SHA2(string, bits)", "SHA2(bytes, bits)"},
		Doc:        "The SHA-2 digest of 224, 256, 384 or 512 bits in hexadecimal.",
		Example:    "SHA2('abc', 224)", ExampleResult: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
		Overloads: []Overload{
			{Params: []types.Type{types.StringType, types.BigIntType}, Result: types.StringType, Bind: bindSHA2},
			{Params: []types.Type{types.BytesType, types.BigIntType}, Result: types.StringType, Bind: bindSHA2},
		},
	},
}

// digest appends the digest of s in hexadecimal.
type digest func(dst, s []byte) []byte

func hashRow(name, what, ofABC string, d digest) Scalar {
	kernel := rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) { return d(dst, c.Args[0].Bytes(i)), true })
	return Scalar{
		Name: name, Family: FamilyEncoding,
		Signatures: []string{name + "(string)", name + "(bytes)"},
		Doc:        "The " + what + " hexadecimal digits.",
		Example:    name + "('abc')", ExampleResult: ofABC,
		Overloads: []Overload{
			{Params: stringParams(1), Result: types.StringType, Kernel: kernel},
			{Params: []types.Type{types.BytesType}, Result: types.StringType, Kernel: kernel},
		},
	}
}

func appendMD5(dst, s []byte) []byte    { d := md5.Sum(s); return hex.AppendEncode(dst, d[:]) }
func appendSHA1(dst, s []byte) []byte   { d := sha1.Sum(s); return hex.AppendEncode(dst, d[:]) }
func appendSHA224(dst, s []byte) []byte { d := sha256.Sum224(s); return hex.AppendEncode(dst, d[:]) }
func appendSHA256(dst, s []byte) []byte { d := sha256.Sum256(s); return hex.AppendEncode(dst, d[:]) }
func appendSHA384(dst, s []byte) []byte { d := sha512.Sum384(s); return hex.AppendEncode(dst, d[:]) }
func appendSHA512(dst, s []byte) []byte { d := sha512.Sum512(s); return hex.AppendEncode(dst, d[:]) }

// sha2 is nil for a number of bits that SHA-2 has not.
func sha2(bits int64) digest {
	switch bits {
	case 224:
		return appendSHA224
	case 256:
		return appendSHA256
	case 384:
		return appendSHA384
	case 512:
		return appendSHA512
	}
	return nil
}

const noSHA2 = "SHA2 has no digest of %d bits"

func bindSHA2(constants []*vector.Vector) (Kernel, error) {
	if bits := constants[1]; bits != nil && !bits.IsNullConst() && sha2(bits.Int(0)) == nil {
		return nil, constantErrorf("there are 224, 256, 384 and 512 bits", noSHA2, bits.Int(0))
	}
	return func(c *Call) error {
		w := newText(c, 128*c.Rows.Count())
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			d := sha2(c.Args[1].Int(i))
			if d == nil {
				return rowErrorf(i, noSHA2, c.Args[1].Int(i))
			}
			w.buf = d(w.buf, c.Args[0].Bytes(i))
			w.end(i)
		}
		w.done()
		return nil
	}, nil
}
