package lthash

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// randomPairs returns changes of keys from a small space, so that some come several times, with all kinds of values.
func randomPairs(random *rand.Rand, count int) []KVPairWithLastValue {
	field := func(short int) []byte {
		length := random.IntN(short)
		switch random.IntN(50) {
		case 0:
			length = random.IntN(5000)
		case 1:
			return nil
		}
		field := make([]byte, length)
		for i := range field {
			field[i] = byte(random.IntN(3))
		}
		return field
	}
	pairs := make([]KVPairWithLastValue, count)
	for i := range pairs {
		pairs[i] = KVPairWithLastValue{field(4), field(60), field(60), random.IntN(5) == 0}
		if random.IntN(10) == 0 {
			pairs[i].LastValue = pairs[i].Value
		}
	}
	return pairs
}

// withWorkers runs a test with several numbers of goroutines.
func withWorkers(t *testing.T, test func(t *testing.T)) {
	defer func(workers int) { DefaultLtHashWorkers = workers }(DefaultLtHashWorkers)
	for _, workers := range []int{1, 2, 7} {
		DefaultLtHashWorkers = workers
		t.Run(fmt.Sprint(workers, " workers"), test)
	}
}

func TestRandomChangesets(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		var expected model
		state := New()
		for _, count := range []int{0, 1, 2, 3, 10, 255, 256, 511, 512, 513, 1000} {
			pairs := randomPairs(random, count)
			expected.apply(pairs)
			before := state.Clone()
			next, timings := ComputeLtHash(state, pairs)
			if !bytes.Equal(next.Marshal(), expected.bytes()) {
				t.Fatalf("%d pairs: not as the model has it", count)
			}
			if !state.Equal(before) {
				t.Fatal("prev has changed")
			}
			if sum := timings.SerializeNs + timings.Blake3Ns + timings.MergeNs; sum < 0 || timings.TotalNs < sum {
				t.Fatalf("timings %+v", *timings)
			}
			state = next
		}
	})
}

// More than is packed for one call.
func TestLargeChangeset(t *testing.T) {
	var pairs []KVPairWithLastValue
	var expected model
	value := make([]byte, 100_000)
	for i := range 30 {
		value[0] = byte(i)
		pairs = append(pairs, KVPairWithLastValue{Key: []byte("key"), Value: bytes.Clone(value)})
	}
	pairs = append(pairs, KVPairWithLastValue{Key: []byte("key"), LastValue: make([]byte, 5*maxPacked)})
	expected.apply(pairs)
	hash, _ := ComputeLtHash(nil, pairs)
	if !bytes.Equal(hash.Marshal(), expected.bytes()) {
		t.Fatal("not as the model has it")
	}
	slices.Reverse(pairs)
	if reverse, _ := ComputeLtHash(nil, pairs); !reverse.Equal(hash) {
		t.Fatal("another hash in another order")
	}
}

// The first byte of a key is its module.
func moduleOf(key []byte) (string, error) {
	switch {
	case len(key) == 0:
		return "", nil
	case key[0] == 'x':
		return "", errors.New("no module x")
	default:
		return string(key[:1]), nil
	}
}

func TestHashCalculator(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 4))
		calculator := NewHashCalculator([]string{"a", "b", "c"}, moduleOf)
		result := &Result{}
		type counts struct{ keys, bytes int64 }
		models := make(map[ModuleKey]*model)
		stats := make(map[ModuleKey]counts)
		for _, count := range []int{0, 5, 700, 1500} {
			sets := []DBPairs{{"a", randomPairs(random, count)}, {"b", randomPairs(random, count/2)}, {"a", randomPairs(random, 3)}}
			for _, set := range sets {
				for _, pair := range set.Pairs {
					module, _ := moduleOf(pair.Key)
					key := ModuleKey{set.Dir, module}
					if models[key] == nil {
						models[key] = &model{}
					}
					models[key].apply([]KVPairWithLastValue{pair})
					counted := stats[key]
					if len(pair.Key) > 0 && len(pair.LastValue) > 0 {
						counted.keys--
						counted.bytes -= int64(len(pair.Key) + len(pair.LastValue))
					}
					if len(pair.Key) > 0 && len(pair.Value) > 0 && !pair.Delete {
						counted.keys++
						counted.bytes += int64(len(pair.Key) + len(pair.Value))
					}
					stats[key] = counted
				}
			}
			next, err := calculator.Compute(sets, result.PerDB, result.PerModule, result.PerModuleStats)
			if err != nil {
				t.Fatal(err)
			}
			global := New()
			for _, dir := range []string{"a", "b", "c"} {
				global.MixIn(next.PerDB[dir])
				if sum := SumModuleHashes(next.PerModule[dir]); !sum.Equal(next.PerDB[dir]) {
					t.Fatalf("the hash of %s is not its modules' sum", dir)
				}
				if result.PerDB[dir] == next.PerDB[dir] && next.PerDB[dir] != nil {
					t.Fatalf("the hash of %s is shared", dir)
				}
			}
			if !global.Equal(next.Global) {
				t.Fatal("the global hash is not the databases' sum")
			}
			modules := 0
			for dir := range next.PerModule {
				modules += len(next.PerModule[dir])
			}
			if modules != len(models) {
				t.Fatalf("%d modules: expected %d", modules, len(models))
			}
			for key, expected := range models {
				if !bytes.Equal(next.PerModule[key.Dir][key.Module].Marshal(), expected.bytes()) {
					t.Fatalf("%v: not as the model has it", key)
				}
				if counted := next.PerModuleStats[key.Dir][key.Module]; counts(counts{counted.KeyCount, counted.Bytes}) != stats[key] {
					t.Fatalf("%v: %v: expected %v", key, counted, stats[key])
				}
			}
			result = next
		}

		_, err := calculator.Compute([]DBPairs{{"a", []KVPairWithLastValue{{Key: []byte("xyz")}}}}, nil, nil, nil)
		if err == nil || err.Error() != `lthash: a key of database "a": no module x` {
			t.Fatal(err)
		}
		_, err = calculator.Compute([]DBPairs{{"d", []KVPairWithLastValue{{Key: []byte("yz")}}}}, nil, nil, nil)
		if err == nil || err.Error() != `lthash: a changeset of database "d", which the calculator does not know` {
			t.Fatal(err)
		}
	})
}

func TestBytes(t *testing.T) {
	hash := Of([]byte("element"))
	data := hash.Marshal()
	if !bytes.Equal(data, modelOutput([]byte("element"), LtHashBytes)) {
		t.Fatal("not the element's output")
	}
	longer := bytes.Repeat([]byte{7}, LtHashBytes+10)
	hash.MarshalTo(longer)
	if !bytes.Equal(longer[:LtHashBytes], data) || !bytes.Equal(longer[LtHashBytes:], bytes.Repeat([]byte{7}, 10)) {
		t.Fatal("MarshalTo")
	}
	func() {
		defer func() {
			if message := recover(); message != "lthash: a buffer of 2047 bytes: expected at least 2048" {
				t.Fatal(message)
			}
		}()
		hash.MarshalTo(longer[:LtHashBytes-1])
	}()
	back, err := Unmarshal(data)
	if err != nil || !back.Equal(hash) {
		t.Fatal(err)
	}
	for _, length := range []int{0, 2047, 2049} {
		if _, err := Unmarshal(longer[:length]); err == nil || err.Error() != fmt.Sprintf("lthash: a hash of %d bytes: expected 2048", length) {
			t.Fatal(err)
		}
	}
}

func TestMixing(t *testing.T) {
	a, b := Of([]byte("a")), Of([]byte("b"))
	sum := a.Clone()
	sum.MixIn(b)
	sum.MixIn(nil)
	sum.MixOut(nil)
	if sum.Equal(a) || sum.Equal(nil) || sum.IsZero() {
		t.Fatal("not the sum")
	}
	sum.MixOut(a)
	if !sum.Equal(b) {
		t.Fatal("not b")
	}
	sum.MixIn(sum)
	sum.MixOut(b)
	if !sum.Equal(b) {
		t.Fatal("not twice b less b")
	}
	sum.MixOut(sum)
	if !sum.IsZero() || !sum.Equal(New()) {
		t.Fatal("not zero")
	}
	a.Reset()
	if !a.IsZero() {
		t.Fatal("not reset")
	}
	a.Insert(nil)
	a.Remove([]byte{})
	if !a.IsZero() {
		t.Fatal("nil and the empty element differ")
	}
	var expected model
	expected.addElement(nil, 1)
	if a.Insert(nil); !bytes.Equal(a.Marshal(), expected.bytes()) {
		t.Fatal("the empty element")
	}
}

func TestBackends(t *testing.T) {
	backends := AvailableBackends()
	if len(backends) == 0 || backends[0] != "portable" {
		t.Fatal(backends)
	}
	t.Log("backends tested: ", strings.Join(backends, ", "))
	if err := PinBackend("avx3"); err == nil || !strings.HasPrefix(err.Error(), `lthash: backend "avx3": unknown backend`) {
		t.Fatal(err)
	}
	if err := PinBackend(""); err != nil || !slices.Contains(backends, ActiveBackend()) {
		t.Fatal(err, ActiveBackend())
	}
}

func TestGoroutines(t *testing.T) {
	pairs := randomPairs(rand.New(rand.NewPCG(5, 6)), 600)
	shared, _ := ComputeLtHash(nil, pairs)
	checksum := shared.Checksum()
	calculator := NewHashCalculator([]string{"a"}, moduleOf)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			hash, _ := ComputeLtHash(nil, pairs)
			result, err := calculator.Compute([]DBPairs{{"a", pairs}}, nil, nil, nil)
			if err != nil || !result.Global.Equal(hash) || !hash.Equal(shared) || shared.Checksum() != checksum {
				t.Error("another hash")
			}
		}()
	}
	group.Wait()
}

// A key or a value that a length prefix does not hold, behind others, leaves nothing behind that a later changeset would take
// up.
func TestTooLong(t *testing.T) {
	length := 1 << 32
	// Address space with no memory behind it.
	tooLong, err := syscall.Mmap(-1, 0, length, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(tooLong)
	good := KVPairWithLastValue{Key: []byte("k"), Value: []byte("v")}
	for _, bad := range []KVPairWithLastValue{
		{Key: tooLong, Value: []byte("v")},
		{Key: []byte("k"), Value: tooLong},
		{Key: []byte("k"), LastValue: tooLong},
	} {
		func() {
			defer func() {
				message, _ := recover().(string)
				if !strings.Contains(message, "4294967296") || !strings.Contains(message, "expected at most 4294967295") {
					t.Fatal(message)
				}
			}()
			ComputeLtHash(nil, []KVPairWithLastValue{good, bad})
		}()
		for range 10 {
			var expected model
			expected.apply([]KVPairWithLastValue{good})
			if hash, _ := ComputeLtHash(nil, []KVPairWithLastValue{good}); !bytes.Equal(hash.Marshal(), expected.bytes()) {
				t.Fatal("not as the model has it")
			}
		}
	}
}
