package nexmark_test

import (
	"os"

	"github.com/tidemark-sql/tidemark/internal/nexmark"
)

func ExampleWrite() {
	err := nexmark.Write(os.Stdout, nexmark.Config{Rows: 2, Seed: 1})
	if err != nil {
		panic(err)
	}
	// Output:
	// {"auction":1002,"bidder":1715,"price":7,"channel":"channel-8106","url":"https://nexmark.example/taioi/oelto/ijvqt/item.htm?query=1&channel_id=871918045","dateTime":"2025-12-31T23:59:58.820Z","extra":"aaxjijpaxkkdtfehuspqiiqnciv"}
	// {"auction":1002,"bidder":1882,"price":81,"channel":"Apple","url":"https://nexmark.example/uiujm/ancyg/gqgnn/item.htm?query=1","dateTime":"2025-12-31T23:59:59.743Z","extra":"hwvekzwwmwgvxcoziwoehbynxszzfejkrchvrw"}
}
