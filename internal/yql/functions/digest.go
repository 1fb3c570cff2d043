package functions

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"

	"github.com/tidemark-sql/tidemark/internal/function"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// digestFunctions are those of module Digest.
var digestFunctions = []Function{
	digests("Md5Hex", "The MD5 digest as hexadecimal digits.", `Digest::Md5Hex("tide")`, "97dc284cf580da5ebef4aa4b47c13dce", func(dst, s []byte) []byte {
		sum := md5.Sum(s)
		return hex.AppendEncode(dst, sum[:])
	}),
	digests("Md5Raw", "The 16 bytes of the MD5 digest.", `String::HexEncode(Digest::Md5Raw("tide"))`, "97DC284CF580DA5EBEF4AA4B47C13DCE", func(dst, s []byte) []byte {
		sum := md5.Sum(s)
		return append(dst, sum[:]...)
	}),
	digests("Sha1", "The 20 bytes of the SHA-1 digest.", `String::HexEncode(Digest::Sha1("tide"))`, "17C772D62D6F108C21DEDFE0D2AE7F495A8598FA", func(dst, s []byte) []byte {
		sum := sha1.Sum(s)
		return append(dst, sum[:]...)
	}),
	digests("Sha256", "The 32 bytes of the SHA-256 digest.", `String::HexEncode(Digest::Sha256("tide"))`, "8A28929AC7F9A17E97A421AC2CD63AC73568EBE87BC0CEE641A193D91C761577", func(dst, s []byte) []byte {
		sum := sha256.Sum256(s)
		return append(dst, sum[:]...)
	}),
	{
		Module: "Digest", Name: "Crc32c", Signature: "Digest::Crc32c(string)", Doc: "The check sum CRC-32C.",
		Example: `Digest::Crc32c("123456789")`, Result: "3808858755",
		params: []param{paramString},
		apply: gives(typeUint32, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(crc32.Checksum(c.Args[0].Bytes(i), castagnoli)), nil
		})}),
	},
	refusal("Digest", "CityHash", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "MurMurHash", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "FarmHashFingerprint", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "NumericHash", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "IntHash64", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "Fnv64", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "Crc64", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "SipHash", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "XXH3", "a Uint64 ends here at 2^63-1; use Digest::Crc32c or Digest::Md5Hex"),
	refusal("Digest", "Argon2", "passwords are not digested in a query over streams"),
	refusal("Digest", "Blake2B", "use Digest::Sha256"),
}

func digests(name, doc, example, result string, write func(dst, s []byte) []byte) Function {
	return Function{
		Module: "Digest", Name: name, Signature: "Digest::" + name + "(string)", Doc: doc, Example: example, Result: result,
		params: []param{paramString},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return write(dst, c.Args[0].Bytes(i)), nil
		})}),
	}
}
