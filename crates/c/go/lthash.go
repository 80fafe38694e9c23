// Package lthash is the lattice multiset hash LtHash-16-1024 with BLAKE3, on the kernels of the C library lthash.
//
// A multiset's hash is the sum of its elements' hashes, 1024 limbs mod 2^16, so that adding and removing an element costs
// the same however large the set is, and the order does not matter. The package has the shape of the package lthash of
// Sei's flatkv, and computes the same hashes: [ComputeLtHash] applies a changeset, [HashCalculator] keeps a hash for each
// module of each database.
//
// An element that occurs 65,536 times adds up to nothing, so compare the number of elements too where duplicates are
// possible; compare whole checksums.
//
// A hash may be read by several goroutines at a time, or changed by one.
package lthash

import (
	"encoding/binary"
	"fmt"
)

const (
	// LtHashSize is the number of limbs.
	LtHashSize = 1024
	// LtHashBytes is the length of the byte form.
	LtHashBytes = 2 * LtHashSize
)

// LtHash is the hash of a multiset. Its zero value is that of the empty multiset.
type LtHash struct {
	limbs [LtHashSize]uint16
}

// New returns the hash of the empty multiset.
func New() *LtHash {
	return &LtHash{}
}

// Of returns the hash of the multiset that holds an element once. The empty element hashes like any other.
func Of(element []byte) *LtHash {
	l := New()
	l.Insert(element)
	return l
}

// Reset makes l the hash of the empty multiset.
func (l *LtHash) Reset() {
	clear(l.limbs[:])
}

// IsZero tells whether l is the hash of the empty multiset (or of one whose multiplicities are all multiples of 65,536).
func (l *LtHash) IsZero() bool {
	return l.limbs == [LtHashSize]uint16{}
}

// Equal tells whether two hashes are equal. None is equal to nil.
func (l *LtHash) Equal(other *LtHash) bool {
	return other != nil && l.limbs == other.limbs
}

// Clone returns a copy.
func (l *LtHash) Clone() *LtHash {
	clone := *l
	return &clone
}

// Marshal returns the 2048 bytes of the limbs, little-endian.
func (l *LtHash) Marshal() []byte {
	return l.append(make([]byte, 0, LtHashBytes))
}

// MarshalTo writes the 2048 bytes of the limbs, little-endian, to the beginning of buf. It panics if buf is shorter.
func (l *LtHash) MarshalTo(buf []byte) {
	if len(buf) < LtHashBytes {
		panic(fmt.Sprintf("lthash: a buffer of %d bytes: expected at least %d", len(buf), LtHashBytes))
	}
	l.append(buf[:0])
}

func (l *LtHash) append(buf []byte) []byte {
	for _, limb := range l.limbs {
		buf = binary.LittleEndian.AppendUint16(buf, limb)
	}
	return buf
}

// Unmarshal returns the hash of which these are the bytes (see [LtHash.Marshal]). It fails if there are not 2048; any 2048 bytes
// are those of a hash.
func Unmarshal(data []byte) (*LtHash, error) {
	if len(data) != LtHashBytes {
		return nil, fmt.Errorf("lthash: a hash of %d bytes: expected %d", len(data), LtHashBytes)
	}
	l := New()
	for i := range l.limbs {
		l.limbs[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	return l, nil
}
