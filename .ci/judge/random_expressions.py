#!/usr/bin/env python3
"""Makes random expressions for testdata/flink: random_expressions.py SEED COUNT. Numbers stay small, so that few of them overflow."""
import random
import sys

COLUMNS = {
    'BOOLEAN': ['b', 'c'], 'INT': ['i', 'j'], 'BIGINT': ['l', 'm'], 'SMALLINT': ['h'], 'DECIMAL': ['d', 'e'], 'DOUBLE': ['x', 'y'], 'STRING': ['s', 't'],
    'DATE': ['dt', 'du'], 'TIME': ['tm'], 'TIMESTAMP': ['ts', 'tu'], 'LTZ': ['tz'],
}
ROWS = """(VALUES
 (TRUE, FALSE, 7, -3, 40, CAST(-2 AS BIGINT), CAST(5 AS SMALLINT), 12.50, -0.25, 1.5e0, -2e0, 'Tide', 'mark', DATE '2024-02-29', DATE '2023-12-31', TIME '12:34:56', TIMESTAMP '2024-03-31 01:59:59.500', TIMESTAMP '1999-12-31 23:59:59.000'),
 (FALSE, CAST(NULL AS BOOLEAN), 0, 12, CAST(0 AS BIGINT), CAST(1000000 AS BIGINT), CAST(-1 AS SMALLINT), 0.00, 99.99, 0e0, 0.1e0, '', ' a,b ', DATE '1969-12-31', DATE '2024-01-01', TIME '00:00:00', TIMESTAMP '2024-01-01 00:00:00.000', TIMESTAMP '2024-10-27 02:30:00.123'),
 (CAST(NULL AS BOOLEAN), TRUE, CAST(NULL AS INT), 1, CAST(NULL AS BIGINT), CAST(9 AS BIGINT), CAST(NULL AS SMALLINT), CAST(NULL AS DECIMAL(4, 2)), 1.00, CAST(NULL AS DOUBLE), 1e3, CAST(NULL AS STRING), '12', CAST(NULL AS DATE), DATE '2024-06-15', CAST(NULL AS TIME), CAST(NULL AS TIMESTAMP(3)), TIMESTAMP '2000-02-29 06:07:08.000')
) AS r(b, c, i, j, l, m, h, d, e, x, y, s, t, dt, du, tm, ts, tu)"""
NUMBERS = ['INT', 'BIGINT', 'SMALLINT', 'DECIMAL', 'DOUBLE']
ORDERED = NUMBERS + ['STRING', 'DATE', 'TIMESTAMP', 'TIME']
LITERALS = {
    'BOOLEAN': ['TRUE', 'FALSE'], 'INT': ['0', '1', '2', '-5', '10'], 'BIGINT': ['CAST(3 AS BIGINT)', 'CAST(-7 AS BIGINT)'], 'SMALLINT': ['CAST(2 AS SMALLINT)'],
    'DECIMAL': ['1.5', '0.10', '-2.25', '100.0'], 'DOUBLE': ['2.5e0', '-1e1'], 'STRING': ["'a'", "'Tide'", "'%a%'", "'1'", "''"],
    'DATE': ["DATE '2024-03-01'"], 'TIME': ["TIME '10:00:00'"], 'TIMESTAMP': ["TIMESTAMP '2024-01-15 10:20:30.400'"],
}


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def of(self, t, depth):
        if t == 'NUMBER':
            t = self.r.choice(NUMBERS)
        if depth == 0:
            return self.leaf(t)
        return getattr(self, t.lower())(depth - 1)

    def leaf(self, t):
        names = COLUMNS[t]
        return self.r.choice(names if self.r.random() < .75 else LITERALS[t])

    def pick(self, *makers):
        return self.r.choice(makers)()

    def small(self):
        return self.r.choice(['0', '1', '2', '3', '-1', 'j', 'CHAR_LENGTH(t)'])

    def unit(self, *units):
        return self.r.choice(units)

    def common(self, t, d):
        """What every type has."""
        return self.pick(
            lambda: f'CASE WHEN {self.of("BOOLEAN", d)} THEN {self.of(t, d)} ELSE {self.of(t, d)} END',
            lambda: f'CASE {self.of("INT", d)} WHEN {self.of("INT", 0)} THEN {self.of(t, d)} WHEN 7 THEN {self.of(t, 0)} END',
            lambda: f'COALESCE({self.of(t, d)}, {self.of(t, d)})',
            lambda: f'NULLIF({self.of(t, d)}, {self.of(t, 0)})',
            lambda: f'IF({self.of("BOOLEAN", d)}, {self.of(t, d)}, {self.of(t, 0)})',
        )

    def some(self, t, d, *makers):
        if self.r.random() < .15:
            return self.common(t, d)
        return self.pick(*makers)

    def boolean(self, d):
        t = self.r.choice(ORDERED)
        return self.some(
            'BOOLEAN', d,
            lambda: f'{self.of(t, d)} {self.unit("=", "<>", "<", "<=", ">", ">=")} {self.of(t, d)}',
            lambda: f'({self.of("BOOLEAN", d)} AND {self.of("BOOLEAN", d)})',
            lambda: f'({self.of("BOOLEAN", d)} OR {self.of("BOOLEAN", d)})',
            lambda: f'NOT ({self.of("BOOLEAN", d)})',
            lambda: f'({self.of(t, d)}) IS {self.unit("", "NOT ")}NULL',
            lambda: f'({self.of("BOOLEAN", d)}) IS {self.unit("TRUE", "NOT TRUE", "FALSE", "NOT FALSE", "UNKNOWN", "NOT UNKNOWN")}',
            lambda: f'{self.of(t, d)} IS {self.unit("", "NOT ")}DISTINCT FROM {self.of(t, d)}',
            lambda: f'{self.of(t, d)} {self.unit("", "NOT ")}BETWEEN {self.unit("", "SYMMETRIC ")}{self.of(t, 0)} AND {self.of(t, 0)}',
            lambda: f'{self.of(t, d)} {self.unit("", "NOT ")}IN ({self.of(t, 0)}, {self.of(t, 0)}, {self.of(t, 0)})',
            lambda: f'{self.of("STRING", d)} {self.unit("", "NOT ")}LIKE {self.unit(chr(39) + "%a%" + chr(39), chr(39) + "T_d%" + chr(39), chr(39) + "%" + chr(39))}',
            lambda: f"REGEXP({self.of('STRING', d)}, '[a-d]+')",
            lambda: f'({self.of("NUMBER", d)}) {self.unit("<", "=", ">")} ({self.of("NUMBER", d)})',
            lambda: f"STARTSWITH({self.of('STRING', d)}, {self.of('STRING', 0)})",
            lambda: f'({self.of("DATE", d)}, INTERVAL \'30\' DAY) OVERLAPS ({self.of("DATE", 0)}, INTERVAL \'10\' DAY)',
        )

    def int(self, d):
        return self.some(
            'INT', d,
            lambda: f'({self.of("INT", d)} {self.unit("+", "-")} {self.of("INT", d)})',
            lambda: f'({self.of("INT", d)} * {self.of("INT", 0)})',
            lambda: f'({self.of("INT", d)} / {self.unit("2", "3", "-4")})',
            lambda: f'MOD({self.of("INT", d)}, {self.unit("2", "3", "-4")})',
            lambda: f'CHAR_LENGTH({self.of("STRING", d)})',
            lambda: f"POSITION({self.of('STRING', 0)} IN {self.of('STRING', d)})",
            lambda: f'ABS({self.of("INT", d)})', lambda: f'SIGN({self.of("INT", d)})', lambda: f'-({self.of("INT", d)})',
            lambda: f'CAST({self.of("DECIMAL", d)} AS INT)', lambda: f'CAST({self.of("BIGINT", d)} AS INT)', lambda: f'CAST({self.of("BOOLEAN", d)} AS INT)',
            lambda: f'CAST({self.of("DOUBLE", d)} AS INT)',
            lambda: f'TRY_CAST({self.of("STRING", d)} AS INT)',
            lambda: f'TIMESTAMPDIFF({self.unit("DAY", "HOUR", "MONTH", "YEAR", "SECOND")}, {self.of("TIMESTAMP", d)}, {self.of("TIMESTAMP", 0)})',
            lambda: f'TIMESTAMPDIFF({self.unit("DAY", "MONTH", "WEEK", "QUARTER")}, {self.of("DATE", d)}, {self.of("DATE", 0)})',
            lambda: f"INSTR({self.of('STRING', d)}, {self.of('STRING', 0)})",
            lambda: f"ASCII({self.of('STRING', d)})",
            lambda: f"LOCATE({self.of('STRING', 0)}, {self.of('STRING', d)}, {self.unit('1', '2')})",
            lambda: f'CARDINALITY(ARRAY[{self.of("INT", d)}, {self.of("INT", 0)}])',
            lambda: f'ARRAY[{self.of("INT", d)}, {self.of("INT", 0)}][{self.unit("1", "2")}]',
            lambda: f'GREATEST({self.of("INT", d)}, {self.of("INT", 0)})',
        )

    def smallint(self, d):
        return self.some('SMALLINT', d, lambda: f'CAST(MOD({self.of("INT", d)}, 100) AS SMALLINT)', lambda: f'-({self.of("SMALLINT", 0)})', lambda: self.leaf('SMALLINT'))

    def bigint(self, d):
        return self.some(
            'BIGINT', d,
            lambda: f'({self.of("BIGINT", d)} {self.unit("+", "-")} {self.of(self.unit("INT", "BIGINT"), d)})',
            lambda: f'({self.of("BIGINT", d)} * {self.of("INT", 0)})',
            lambda: f'MOD({self.of("BIGINT", d)}, 7)',
            lambda: f'EXTRACT({self.unit("YEAR", "MONTH", "DAY", "DOY", "DOW", "WEEK", "QUARTER", "ISODOW", "ISOYEAR", "CENTURY", "DECADE")} FROM {self.of("DATE", d)})',
            lambda: f'EXTRACT({self.unit("YEAR", "HOUR", "MINUTE", "SECOND", "MILLISECOND")} FROM {self.of("TIMESTAMP", d)})',
            lambda: f'CAST({self.of("INT", d)} AS BIGINT)',
            lambda: f'CAST({self.of("DECIMAL", d)} AS BIGINT)',
            lambda: f'FLOOR({self.of("BIGINT", d)})', lambda: f'ABS({self.of("BIGINT", d)})',
            lambda: f'DAYOFMONTH({self.of("DATE", d)})',
        )

    def decimal(self, d):
        return self.some(
            'DECIMAL', d,
            lambda: f'({self.of("DECIMAL", d)} {self.unit("+", "-", "*")} {self.of(self.unit("DECIMAL", "INT"), 0)})',
            lambda: f'({self.of("DECIMAL", 0)} {self.unit("+", "-", "*")} {self.of(self.unit("DECIMAL", "BIGINT"), d)})',
            lambda: f'({self.of("DECIMAL", d)} / {self.unit("2", "0.3", "-7", "1.25")})',
            lambda: f'MOD({self.of("DECIMAL", d)}, {self.unit("0.7", "3")})',
            lambda: f'ROUND({self.of("DECIMAL", d)}, {self.unit("0", "1", "-1", "3")})',
            lambda: f'TRUNCATE({self.of("DECIMAL", d)}, 1)',
            lambda: f'{self.unit("FLOOR", "CEIL", "ABS", "SIGN")}({self.of("DECIMAL", d)})',
            lambda: f'CAST({self.of(self.unit("INT", "DECIMAL", "DOUBLE", "BIGINT"), d)} AS DECIMAL({self.unit("10, 2", "12, 0", "20, 5", "5, 1", "38, 6")}))',
            lambda: f'TRY_CAST({self.of("STRING", d)} AS DECIMAL(8, 3))',
            lambda: f'-({self.of("DECIMAL", d)})',
        )

    def double(self, d):
        return self.some(
            'DOUBLE', d,
            lambda: f'({self.of("DOUBLE", d)} {self.unit("+", "-", "*")} {self.of(self.unit("DOUBLE", "INT", "DECIMAL"), 0)})',
            lambda: f'({self.of("DOUBLE", d)} / {self.unit("2", "4e0", "0.5")})',
            lambda: f'SQRT(ABS({self.of("DOUBLE", d)}))',
            lambda: f'{self.unit("FLOOR", "CEIL", "ABS", "SIGN")}({self.of("DOUBLE", d)})',
            lambda: f'CAST({self.of(self.unit("INT", "DECIMAL", "BIGINT"), d)} AS DOUBLE)',
            lambda: f'TRY_CAST({self.of("STRING", d)} AS DOUBLE)',
            lambda: f'POWER({self.of("DOUBLE", 0)}, 2)',
        )

    def string(self, d):
        return self.some(
            'STRING', d,
            lambda: f'{self.of("STRING", d)} || {self.of("STRING", 0)}',
            lambda: f'{self.unit("UPPER", "LOWER", "TRIM", "REVERSE", "INITCAP", "MD5", "LTRIM", "RTRIM")}({self.of("STRING", d)})',
            lambda: f'SUBSTRING({self.of("STRING", d)} FROM {self.small()})',
            lambda: f'SUBSTRING({self.of("STRING", d)}, {self.unit("1", "2", "-3", "j")}, {self.unit("1", "2", "3")})',
            lambda: f"REPLACE({self.of('STRING', d)}, {self.of('STRING', 0)}, 'zz')",
            lambda: f"{self.unit('LPAD', 'RPAD')}({self.of('STRING', d)}, {self.unit('6', '2', '9')}, {self.unit(chr(39) + 'xy' + chr(39), 't')})",
            lambda: f'CAST({self.of(self.unit("INT", "BIGINT", "DECIMAL", "DOUBLE", "BOOLEAN", "DATE", "TIME"), d)} AS {self.unit("STRING", "STRING", "VARCHAR(5)", "CHAR(12)")})',
            lambda: f'{self.unit("LEFT", "RIGHT")}({self.of("STRING", d)}, {self.unit("0", "1", "3")})',
            lambda: f"SPLIT_INDEX({self.of('STRING', d)}, ',', {self.unit('0', '1', '2')})",
            lambda: f"CONCAT_WS('-', {self.of('STRING', d)}, {self.of('STRING', 0)}, {self.of('STRING', 0)})",
            lambda: f"CONCAT({self.of('STRING', d)}, {self.of('STRING', 0)})",
            lambda: f"DATE_FORMAT({self.of('TIMESTAMP', d)}, {self.unit(*[repr(f) for f in ('yyyy-MM-dd', 'HH:mm:ss.SSS', 'dd.MM.yy', 'EEE d MMM')])})",
            lambda: f"REGEXP_REPLACE({self.of('STRING', d)}, '[aeiou]', '_')",
            lambda: f"REGEXP_EXTRACT({self.of('STRING', d)}, '([A-Z])(.*)', {self.unit('0', '1', '2')})",
            lambda: f"OVERLAY({self.of('STRING', d)} PLACING 'XX' FROM {self.unit('1', '2', '3')})",
            lambda: f"TRIM({self.unit('BOTH', 'LEADING', 'TRAILING')} 'a' FROM {self.of('STRING', d)})",
            lambda: f"REPEAT({self.of('STRING', d)}, {self.unit('0', '1', '3')})",
            lambda: f"JSON_VALUE('{{\"a\": {{\"b\": [1, \"x\"]}}}}', {self.unit(*[repr(p) for p in ('$.a.b[1]', '$.a.c', '$.a.b[0]', 'lax $.z')])})",
            lambda: f"JSON_STRING({self.of(self.unit('INT', 'STRING', 'BOOLEAN', 'DECIMAL'), d)})",
            lambda: f"SPLIT({self.of('STRING', d)}, ',')[1]",
            lambda: f"TRANSLATE({self.of('STRING', d)}, 'abc', 'xy')",
            lambda: f"SUBSTR({self.of('STRING', d)}, {self.unit('2', '-2')})",
            lambda: f"ELT({self.unit('1', '2', '3')}, {self.of('STRING', d)}, {self.of('STRING', 0)})",
        )

    def date(self, d):
        return self.some(
            'DATE', d,
            lambda: f"({self.of('DATE', d)} {self.unit('+', '-')} INTERVAL {self.unit(*[chr(39) + x for x in ('1' + chr(39) + ' DAY', '3' + chr(39) + ' MONTH', '1-2' + chr(39) + ' YEAR TO MONTH', '40' + chr(39) + ' DAY')])})",
            lambda: f'CAST({self.of("TIMESTAMP", d)} AS DATE)',
            lambda: f'{self.unit("FLOOR", "CEIL")}({self.of("DATE", d)} TO {self.unit("MONTH", "YEAR", "QUARTER", "WEEK")})',
            lambda: f'TIMESTAMPADD({self.unit("DAY", "MONTH", "YEAR", "WEEK")}, {self.small()}, {self.of("DATE", d)})',
            lambda: f"TO_DATE({self.unit(*[repr(x) for x in ('2024-02-30', '2024-12-01', 'x')])})",
        )

    def time(self, d):
        return self.some('TIME', d, lambda: f"({self.of('TIME', d)} + INTERVAL '90' MINUTE)", lambda: f'CAST({self.of("TIMESTAMP", d)} AS TIME)', lambda: self.leaf('TIME'))

    def timestamp(self, d):
        return self.some(
            'TIMESTAMP', d,
            lambda: f"({self.of('TIMESTAMP', d)} {self.unit('+', '-')} INTERVAL {self.unit(*[chr(39) + x for x in ('1' + chr(39) + ' DAY', '3' + chr(39) + ' MONTH', '1.5' + chr(39) + ' SECOND', '36' + chr(39) + ' HOUR', '1 02:03' + chr(39) + ' DAY TO MINUTE')])})",
            lambda: f'CAST({self.of("DATE", d)} AS TIMESTAMP(3))',
            lambda: f'CAST({self.of("TIMESTAMP", d)} AS TIMESTAMP({self.unit("0", "1", "3", "6")}))',
            lambda: f'{self.unit("FLOOR", "CEIL")}({self.of("TIMESTAMP", d)} TO {self.unit("MINUTE", "HOUR", "DAY", "MONTH", "YEAR", "SECOND", "WEEK")})',
            lambda: f'TIMESTAMPADD({self.unit("DAY", "MONTH", "HOUR", "SECOND", "MINUTE")}, {self.small()}, {self.of("TIMESTAMP", d)})',
            lambda: f"TO_TIMESTAMP({self.unit(*[repr(x) for x in ('2024-02-30 10:00:00', '2024-12-01 01:02:03', 'x')])})",
        )


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    m = Maker(seed)
    print('# Random expressions over three rows, made by .ci/judge/random_expressions.py', seed, count)
    print('@from', ' '.join(ROWS.split()))
    seen = set()
    while len(seen) < count:
        t = m.r.choice(['BOOLEAN', 'INT', 'BIGINT', 'DECIMAL', 'DOUBLE', 'STRING', 'DATE', 'TIMESTAMP', 'TIME'])
        e = m.of(t, m.r.choice([1, 2, 2, 3, 3, 4]))
        if e not in seen and len(e) < 400:
            seen.add(e)
            print(e)


main()
