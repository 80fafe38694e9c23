package lthash

import "testing"

// updates returns a changeset of so many updates: keys of 52 bytes and values of 32, the shape of an EVM storage slot.
func updates(count int) []KVPairWithLastValue {
	pairs := make([]KVPairWithLastValue, count)
	for i := range pairs {
		number := uint32(i)
		pairs[i] = KVPairWithLastValue{Key: generated("key", number, 52), Value: generated("new", number, 32), LastValue: generated("old", number, 32)}
	}
	return pairs
}

func BenchmarkComputeLtHash(b *testing.B) {
	defer func(workers int) { DefaultLtHashWorkers = workers }(DefaultLtHashWorkers)
	pairs := updates(1000)
	for name, workers := range map[string]int{"1000 updates, one goroutine": 1, "1000 updates, all processors": DefaultLtHashWorkers} {
		b.Run(name, func(b *testing.B) {
			DefaultLtHashWorkers = workers
			b.ReportAllocs()
			for b.Loop() {
				ComputeLtHash(nil, pairs)
			}
		})
	}
}

func BenchmarkMixIn(b *testing.B) {
	hash, other := New(), Of([]byte("other"))
	for b.Loop() {
		hash.MixIn(other)
	}
}

func BenchmarkChecksum(b *testing.B) {
	hash := Of([]byte("element"))
	for b.Loop() {
		hash.Checksum()
	}
}
