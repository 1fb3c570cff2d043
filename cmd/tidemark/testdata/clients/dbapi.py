# What a user of the package confluent-sql does, against the server at sys.argv[1]. It fails by an exception.
import datetime
import decimal
import sys

import confluent_sql
from confluent_sql.exceptions import OperationalError, StatementNotFoundError

connection = confluent_sql.connect(
    environment_id="env-local", organization_id="org-local", compute_pool_id="lfcp-local", endpoint=sys.argv[1],
    flink_api_key=sys.argv[2], flink_api_secret=sys.argv[3], database="default_database")


def execute(sql, **more):
    cursor = connection.cursor()
    cursor.execute(sql, **more)
    return cursor


def same(got, want):
    if got != want:
        raise AssertionError(f"got {got!r}, want {want!r}")


execute("""CREATE TABLE kinds (id BIGINT NOT NULL, name STRING, price DECIMAL(10, 2), ratio DOUBLE, ok BOOLEAN, born DATE, seen TIMESTAMP(3), sent TIMESTAMP_LTZ(3),
    tags ARRAY<INT>, counts MAP<STRING, INT>, place ROW<x INT, y STRING>, body BYTES)""")
execute("""INSERT INTO kinds VALUES (1, 'Änn', 1.50, 0.25, TRUE, DATE '2026-01-02', TIMESTAMP '2026-01-02 03:04:05.678', TO_TIMESTAMP_LTZ(0, 3),
    ARRAY[1, 2], MAP['a', 1], ROW(7, 'z'), x'0aff'), (2, CAST(NULL AS STRING), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)""")
rows = sorted(execute("SELECT * FROM kinds").fetchall())
same(rows[0][:10], (1, "Änn", decimal.Decimal("1.50"), 0.25, True, datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3, 4, 5, 678000),
                    datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc), [1, 2], {"a": 1}))
same(tuple(rows[0][10]), (7, "z"))
same(rows[0][11], b"\x0a\xff")
same(rows[1], (2,) + (None,) * 11)

same(execute("SHOW TABLES").fetchall(), [("kinds",)])
same([c[0] for c in execute("SELECT id, price FROM kinds").description], ["id", "price"])

try:
    execute("SELECT nope FROM kinds")
    raise AssertionError("a wrong statement is taken")
except OperationalError as error:
    assert "nope" in str(error) and "^^^^" in str(error), error

# A statement that runs until it is stopped.
execute("CREATE TABLE copies (id BIGINT)")
with connection.closing_streaming_cursor() as cursor:
    cursor.execute("INSERT INTO copies SELECT id FROM kinds", statement_name="copy", statement_labels=["mine"])
    same([s.name for s in connection.list_statements(label="mine")], ["copy"])
    statement = connection.get_statement("copy")
    same((statement.sql_kind, statement.is_bounded, statement.end_user_labels), ("INSERT_INTO", False, ["mine"]))
    same(connection.stop_statement("copy").phase.value, "STOPPED")
    connection.delete_statement("copy")
try:
    connection.get_statement("copy")
    raise AssertionError("a statement that was deleted is there")
except StatementNotFoundError:
    pass

# A result that changes.
with connection.closing_streaming_cursor() as cursor:
    cursor.execute("SELECT name, COUNT(*) AS n FROM kinds GROUP BY name", statement_name="live")
    seen = set()
    while len(seen) < 2:
        for change in cursor.fetchmany(10):
            seen.add(tuple(change.row if hasattr(change, "row") else change[-1]))
    same(seen, {("Änn", 1), (None, 1)})
print("done")
