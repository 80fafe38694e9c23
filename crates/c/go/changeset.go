package lthash

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"
)

// KVPairWithLastValue is a change of a key's value. A value that is nil and one that is empty are the same, and nothing is
// stored under an empty key.
type KVPairWithLastValue struct {
	Key       []byte
	Value     []byte // The value from now on
	LastValue []byte // The value until now, or nil; it is taken at its word
	Delete    bool   // The key is deleted: Value does not matter
}

// LtHashTimings says how long a computation took, in nanoseconds; of several goroutines, the one that took longest.
type LtHashTimings struct {
	TotalNs     int64
	Blake3Ns    int64 // Hashing and mixing, which are one step
	SerializeNs int64 // Copying keys and values into elements
	MixInOutNs  int64 // Always 0: in Blake3Ns
	MergeNs     int64 // Adding up what goroutines computed
}

// DefaultLtHashWorkers is how many goroutines a computation may use. Set it before the first one.
var DefaultLtHashWorkers = runtime.NumCPU()

// minPairsPerWorker is how many pairs pay for a goroutine: 256 take some 100 microseconds.
const minPairsPerWorker = 256

// maxPacked is how many bytes of elements are packed for one call.
const maxPacked = 1 << 20

// ComputeLtHash returns prev with a changeset applied: LastValue's record is removed, and Value's inserted unless Delete is
// set. A nil prev is the empty multiset; prev is not changed.
//
// A record's element is its key and its value, each behind its length, 32 bits little-endian; a record with an empty key or
// value counts for nothing. It panics if a key or a value is longer than 4294967295 bytes.
func ComputeLtHash(prev *LtHash, kvPairs []KVPairWithLastValue) (*LtHash, *LtHashTimings) {
	start := time.Now()
	result := New()
	if prev != nil {
		*result = *prev
	}
	timings := &LtHashTimings{}
	workers := min(DefaultLtHashWorkers, len(kvPairs)/minPairsPerWorker)
	if workers <= 1 {
		fold(result, kvPairs, timings)
	} else {
		merge(result, split(kvPairs, workers), timings)
	}
	timings.TotalNs = time.Since(start).Nanoseconds()
	return result, timings
}

// split cuts pairs into so many parts that are about equally long.
func split(pairs []KVPairWithLastValue, count int) [][]KVPairWithLastValue {
	parts := make([][]KVPairWithLastValue, count)
	for i := range parts {
		parts[i] = pairs[i*len(pairs)/count : (i+1)*len(pairs)/count]
	}
	return parts
}

// merge applies each part in a goroutine of its own, and adds up.
func merge(result *LtHash, parts [][]KVPairWithLastValue, timings *LtHashTimings) {
	deltas := make([]LtHash, len(parts))
	times := make([]LtHashTimings, len(parts))
	var group sync.WaitGroup
	for i := range parts {
		group.Add(1)
		go func() {
			defer group.Done()
			fold(&deltas[i], parts[i], &times[i])
		}()
	}
	group.Wait()
	start := time.Now()
	for i := range deltas {
		result.MixIn(&deltas[i])
		if times[i].SerializeNs+times[i].Blake3Ns >= timings.SerializeNs+timings.Blake3Ns {
			*timings = times[i]
		}
	}
	timings.MergeNs = time.Since(start).Nanoseconds()
}

// fold applies pairs to hash, adds the time that it took to timings, and returns by how much the numbers of keys and of bytes
// change.
func fold(hash *LtHash, pairs []KVPairWithLastValue, timings *LtHashTimings) ModuleStats {
	buffers := pool.Get().(*buffers) // Not given back by a panic, which leaves elements in it.
	var change ModuleStats
	for len(pairs) > 0 {
		start := time.Now()
		count := 0
		for count < len(pairs) && len(buffers.removed.elements)+len(buffers.inserted.elements) < maxPacked {
			change = change.Add(buffers.pack(&pairs[count]))
			count++
		}
		pairs = pairs[count:]
		packed := time.Now()
		hash.mix(&buffers.removed, &buffers.inserted)
		buffers.removed.reset()
		buffers.inserted.reset()
		timings.SerializeNs += packed.Sub(start).Nanoseconds()
		timings.Blake3Ns += time.Since(packed).Nanoseconds()
	}
	pool.Put(buffers)
	return change
}

// buffers holds what leaves and what enters a multiset.
type buffers struct {
	removed, inserted packed
}

var pool = sync.Pool{New: func() any { return &buffers{} }}

// pack appends the elements of a pair, and returns by how much it changes the numbers of keys and of bytes.
func (b *buffers) pack(pair *KVPairWithLastValue) ModuleStats {
	value := pair.Value
	if pair.Delete {
		value = nil
	}
	if len(pair.Key) == 0 || bytes.Equal(value, pair.LastValue) {
		return ModuleStats{}
	}
	return b.inserted.append(pair.Key, value).Sub(b.removed.append(pair.Key, pair.LastValue))
}

// packed holds elements one directly behind the other.
type packed struct {
	elements []byte
	lengths  []uintptr
}

// append appends a record's element, if it has one, and returns its share in the numbers of keys and of bytes.
func (p *packed) append(key, value []byte) ModuleStats {
	if len(value) == 0 {
		return ModuleStats{}
	}
	if len(key) > math.MaxUint32 || len(value) > math.MaxUint32 {
		panic(fmt.Sprintf("lthash: a key of %d bytes and a value of %d: expected at most %d each", len(key), len(value), uint32(math.MaxUint32)))
	}
	p.elements = binary.LittleEndian.AppendUint32(p.elements, uint32(len(key)))
	p.elements = append(p.elements, key...)
	p.elements = binary.LittleEndian.AppendUint32(p.elements, uint32(len(value)))
	p.elements = append(p.elements, value...)
	p.lengths = append(p.lengths, uintptr(8+len(key)+len(value)))
	return ModuleStats{KeyCount: 1, Bytes: int64(len(key)) + int64(len(value))}
}

// reset forgets the elements, and their memory if it is much.
func (p *packed) reset() {
	if cap(p.elements) > 4*maxPacked {
		*p = packed{}
	}
	p.elements, p.lengths = p.elements[:0], p.lengths[:0]
}
