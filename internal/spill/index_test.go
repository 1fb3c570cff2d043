package spill

import (
	"math/rand/v2"
	"testing"
)

// TestIndexAgainstMap adds, moves and removes entries whose hashes are so near to each other that tables wrap around and entries share fingerprints.
func TestIndexAgainstMap(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		var x index
		want := map[uint64]uint64{} // hash by address
		var addresses []uint64
		hash := func() uint64 {
			print := r.Uint64N(1 << 24)
			switch seed % 4 {
			case 1:
				print |= 0xFFFFF0
			case 2:
				print &= 0xF
			}
			return r.Uint64N(3)<<52 | print<<28 | r.Uint64N(1<<28)
		}
		growing := true
		for step := range 6000 {
			if step%1500 == 0 {
				growing = !growing || step == 0
			}
			if n := len(addresses); n == 0 || r.IntN(10) < 7 == growing {
				h, a := hash(), (1+r.Uint64N(255))<<32|r.Uint64N(1<<32)
				if _, ok := want[a]; ok {
					continue
				}
				x.add(h, a)
				want[a] = h
				addresses = append(addresses, a)
				continue
			}
			i := r.IntN(len(addresses))
			a := addresses[i]
			h := want[a]
			delete(want, a)
			if r.IntN(4) == 0 {
				to := (1+r.Uint64N(255))<<32 | r.Uint64N(1<<32)
				if err := x.move(h, a, to); err != nil {
					t.Fatal(err)
				}
				want[to], addresses[i] = h, to
				continue
			}
			if err := x.remove(h, a); err != nil {
				t.Fatal(err)
			}
			addresses[i] = addresses[len(addresses)-1]
			addresses = addresses[:len(addresses)-1]
		}
		for a, h := range want {
			found := false
			for _, p := range x.probe(nil, h, 5) {
				found = found || p == a<<printBits|5
			}
			if !found || !x.maybe(h) {
				t.Fatalf("seed %d: address %x of hash %x is not found", seed, a, h)
			}
		}
		n, bytes := 0, 4096*32
		for i := range x.groups {
			n += x.groups[i].n
			bytes += 8 * len(x.groups[i].slots)
		}
		if n != len(want) || bytes != x.bytes {
			t.Errorf("seed %d: %d entries in %d bytes, want %d in %d", seed, n, x.bytes, len(want), bytes)
		}
		for a, h := range want {
			if err := x.remove(h, a); err != nil {
				t.Fatal(err)
			}
			if x.remove(h, a) == nil {
				t.Fatal("an entry is removed twice")
			}
		}
		if x.bytes != 4096*32 {
			t.Errorf("an empty index takes %d bytes", x.bytes)
		}
	}
}

// TestMaybe: of keys that are not there, hardly any may be there.
func TestMaybe(t *testing.T) {
	var x index
	r := rand.New(rand.NewPCG(1, 5))
	if x.maybe(0) || x.probe(nil, 0, 0) != nil {
		t.Error("there is something in an empty index")
	}
	const n = 200_000
	for i := range uint64(n) {
		x.add(r.Uint64(), 1<<32|i)
	}
	wrong := 0
	for range n {
		if x.maybe(r.Uint64()) {
			wrong++
		}
	}
	if wrong > n/10_000 {
		t.Errorf("%d of %d keys may be there that are not", wrong, n)
	}
	if perKey := float64(x.bytes-4096*32) / n; perKey > 13.5 {
		t.Errorf("a key takes %.1f bytes", perKey)
	}
}
