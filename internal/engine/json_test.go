package engine

import "testing"

// TestJSONClauses runs JSON functions with their clauses as SQL; the values are those of Flink 2.3.
func TestJSONClauses(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct{ expression, want string }{
		{`JSON_VALUE('{"a":1.50}', '$.a')`, "1.50"},
		{`JSON_VALUE('{"a":[1]}', 'lax $.a' DEFAULT 'm' ON EMPTY DEFAULT 'e' ON ERROR)`, "m"},
		{`JSON_VALUE('{"a":[1]}', 'strict $.a' DEFAULT 'm' ON EMPTY DEFAULT 'e' ON ERROR)`, "e"},
		{`JSON_VALUE('{"a":null}', 'strict $.a' DEFAULT 'm' ON EMPTY DEFAULT 'e' ON ERROR)`, "e"},
		{`JSON_VALUE('{}', '$.a' DEFAULT 'm' ON EMPTY DEFAULT 'e' ON ERROR)`, "e"},
		{`JSON_VALUE('{', 'lax $.a' DEFAULT 'm' ON EMPTY DEFAULT 'e' ON ERROR)`, "m"},
		{`JSON_VALUE('{', 'lax $.a' ERROR ON ERROR)`, "NULL"},
		{`JSON_VALUE('{"a":1}', '$.a' RETURNING INT) + 1`, "2"},
		{`JSON_VALUE('{"a":1.25}', '$.a' RETURNING DOUBLE)`, "1.25"},
		{`JSON_VALUE('{"a":true}', '$.a' RETURNING BOOLEAN)`, "TRUE"},
		{`JSON_VALUE('{"a":"abc"}', '$.a' RETURNING VARCHAR(2))`, "ab"},
		{`JSON_VALUE('{"a":"abc"}', '$.a' RETURNING VARCHAR)`, "abc"},
		{`JSON_VALUE('{}', 'lax $.a' RETURNING INT DEFAULT 5 ON EMPTY)`, "5"},
		{`JSON_VALUE('{}', 'lax $.a' DEFAULT 5 ON EMPTY)`, "5"},
		{`JSON_VALUE(CAST(NULL AS STRING), 'lax $.a' DEFAULT 'm' ON EMPTY DEFAULT 'e' ON ERROR)`, "NULL"},
		{`JSON_QUERY('{"a":[1, 2 , {"z":1,"b" : 2}]}', '$.a')`, `[1,2,{"b":2,"z":1}]`},
		{`JSON_QUERY('{"a":1}', '$.a' WITH WRAPPER)`, "[1]"},
		{`JSON_QUERY('{"a":[1]}', '$.a' WITH CONDITIONAL ARRAY WRAPPER)`, "[1]"},
		{`JSON_QUERY('{"a":[1]}', '$.a' WITH UNCONDITIONAL WRAPPER)`, "[[1]]"},
		{`JSON_QUERY('{"a":null}', '$.a' WITH WRAPPER)`, "NULL"},
		{`JSON_QUERY('{"a":1}', '$.a' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR)`, "{}"},
		{`JSON_QUERY('{"a":1}', 'lax $.a' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR)`, "[]"},
		{`JSON_QUERY('{}', 'lax $.x[*]')`, "[]"},
		{`JSON_QUERY('{"a":["x","y",null,1,{"b":1}]}', '$.a' RETURNING ARRAY<STRING>)`, `[x, y, NULL, 1, {"b":1}]`},
		{`JSON_QUERY('{"a":"x"}', '$.a' RETURNING ARRAY<STRING> WITH WRAPPER)`, "[x]"},
		{`JSON_QUERY('{"a":{"b":1}}', '$.a' RETURNING ARRAY<STRING>)`, "NULL"},
		{`JSON_EXISTS('{"a":null}', 'lax $.a')`, "FALSE"},
		{`JSON_EXISTS('{"a":1}', 'strict $.b' TRUE ON ERROR)`, "TRUE"},
		{`JSON_EXISTS('{"a":1}', 'strict $.b' UNKNOWN ON ERROR)`, "NULL"},
		{`JSON_EXISTS('{"a":[1]}', 'lax $.b[*]')`, "TRUE"},
		{`JSON_EXISTS('{"a":[1]}', '$.b[*]')`, "FALSE"},
		{`CAST(NULL AS STRING) IS NOT JSON OBJECT`, "TRUE"},
		{`'{} {}' IS JSON VALUE`, "TRUE"},
		{`JSON_OBJECT(KEY 'b' VALUE 1, 'a': 2, 'b' VALUE 3)`, `{"a":2,"b":3}`},
		{`JSON_OBJECT('a' VALUE CAST(NULL AS STRING) ABSENT ON NULL)`, "{}"},
		{`JSON_OBJECT('a' VALUE JSON_ARRAY(JSON_OBJECT(), JSON('{"b": 1, "a":2}'), UPPER(JSON_ARRAY('x'))))`, `{"a":[{},{"a":2,"b":1},"[\"X\"]"]}`},
		{`JSON_OBJECT('a' VALUE JSON_VALUE('{"x":1}', '$.x'), 'b' VALUE x'0aff', 'c' VALUE TIMESTAMP '2020-01-02 03:04:05.678')`,
			`{"a":"1","b":"Cv8=","c":"2020-01-02T03:04:05.678"}`},
		{`JSON_ARRAY(1, CAST(NULL AS STRING), 1e10, CAST('NaN' AS DOUBLE) NULL ON NULL)`, `[1,null,1.0E+10,"NaN"]`},
		{`JSON_ARRAY()`, "[]"},
	} {
		if got := value(t, e, "SELECT "+c.expression); got != c.want {
			t.Errorf("%s is %s, want %s", c.expression, got, c.want)
		}
	}
}
