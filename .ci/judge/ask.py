"""Client of the judge: ask.py SOCKET expr|script|update …; see the script judge."""

import argparse
import socket
import sys

END = "end of answer\n"


def ask(path: str, verb: str, text: str) -> str:
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        s.sendall(f"{verb}\n{text}".encode())
        s.shutdown(socket.SHUT_WR)
        parts = []
        while part := s.recv(1 << 16):
            parts.append(part)
    answer = b"".join(parts).decode()
    if not answer.endswith(END):
        sys.exit("judge: the answer is cut off; has it been stopped?\n" + answer)
    return answer[: -len(END)]


def read(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8") as f:
        return f.read()


def main() -> None:
    path, verb, *rest = sys.argv[1:]
    p = argparse.ArgumentParser(prog=f"judge {verb}")
    if verb == "expr":
        p.add_argument("--zone", default="UTC")
        p.add_argument("--batch", action="store_true")
        p.add_argument("--from", dest="table", default="")
        p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
        p.add_argument("--file", "-f")
        p.add_argument("expression", nargs="*")
        a = p.parse_args(rest)
        head = [f"@zone {a.zone}"] if a.zone != "UTC" else []
        head += ["@mode batch"] if a.batch else []
        head += [f"@set {s.replace('=', ' ', 1)}" for s in a.set]
        head += [f"@from {a.table}"] if a.table else []
        body = read(a.file) if a.file else "".join(" ".join(e.split("\n")) + "\n" for e in a.expression)
        answer = ask(path, "expr", "\n".join(head + [body]))
        sys.stdout.write(answer[len("\n".join(head + [""])):])
        return
    p.add_argument("file", nargs="+")
    for name in p.parse_args(rest).file:
        kind = "expr" if verb == "update" and name.endswith(".txt") else "script"
        answer = ask(path, kind, read(name))
        if verb == "update":
            if "error judge: " in answer:
                sys.exit(f"{name}: {answer[answer.index('error judge: '):]}")
            with open(name, "w", encoding="utf-8") as f:
                f.write(answer)
        else:
            sys.stdout.write(answer)


if __name__ == "__main__":
    main()
