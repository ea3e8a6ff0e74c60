#!/usr/bin/env python3
"""Checks a proof file of Placard with nothing of Placard's: written from "The proof file" in PROOF.md alone.

    docs/verify.py placard-proof-2026-11.txt --key log.key

Needs Python 3.11 and, for Ed25519, the package cryptography (Debian: python3-cryptography). Ends with 0 and says in a
few lines what is proved; with 1 and one line that says what does not hold; with 2 if it cannot run as it was called.
"""

import argparse
import base64
import bisect
import calendar
import hashlib
import json
import os
import re
import sys
from array import array
from collections import namedtuple
from datetime import datetime

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    print("verify.py needs the Python package cryptography (Debian: python3-cryptography)", file=sys.stderr)
    sys.exit(2)

MOST_BYTES, MOST_OF_LINE, MOST_OF_CHECKPOINT, MOST_SIGNATURES, MOST_HASHES = 256 << 20, 65_536, 128 << 10, 100, 63
SAFE, LOWEST, HIGHEST, LOG, WITNESS = 2**53 - 1, -(2**63), 2**63 - 1, 0x01, 0x04
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # Unicode's White_Space
NAME = re.compile(f"[^{WHITE}\x00-\x1f\x7f-\x9f+]+")
AROUND = re.compile(f"^[{WHITE}]+|[{WHITE}]+$")
NUMBER = re.compile("0|-?[1-9][0-9]{0,19}")
# The accounts of a user that are compared: the code, and -1 where the balance is shown without its sign.
COMPARED = {"available": (101, 1), "pending": (102, 1), "withdrawing": (103, 1), "exchanging": (104, 1)}
COMPARED |= {"deposit": (105, 1), "promotional": (106, 1), "advance": (107, -1)}
PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493

Key = namedtuple("Key", "name id kind public")


class Refused(Exception):
    """What does not hold, and in which line: where it is None, in the one that was read last."""


def need(holds, why, line=None):
    if not holds:
        raise Refused(why, line)

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def eight(number):
    return number.to_bytes(8, "big", signed=True)

def integer(text, low=0, high=HIGHEST):
    is_number = type(text) is str and NUMBER.fullmatch(text) and low <= int(text) <= high
    need(is_number, f"a number from {low} to {high} is not there in its form")
    return int(text)

def hexadecimal(text):
    need(type(text) is str and re.fullmatch("[0-9a-f]{64}", text), "64 lower-case hexadecimal digits are not there")
    return bytes.fromhex(text)

def base_64(text, length=None):
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        found = b""
    need(found and base64.b64encode(found).decode() == text, "base64 is not there in its form")
    need(length in (None, len(found)), f"the base64 is not of {length} bytes")
    return found

def named(text):
    need(NAME.fullmatch(text), "a name is empty, or has white space, a control character or `+`")
    return text

def milliseconds_of(month):
    need(re.fullmatch("[0-9]{4}-(0[1-9]|1[0-2])", month) and month >= "1970", "a month since 1970 is not there")
    year, month = map(int, month.split("-"))
    begins = calendar.timegm((year, month, 1, 0, 0, 0)) * 1000
    return begins, begins + calendar.monthrange(year, month)[1] * 86_400_000

def check_moment(text):
    try:
        same = f"{datetime.fromisoformat(text[:19]).isoformat()}Z" == text
    except ValueError:
        same = False
    need(same and text >= "1970", "a moment of the years 1970 to 9999 is not there")

def whole(value, low=-SAFE, high=SAFE):
    need(type(value) is int and low <= value <= high, f"a value is no whole number from {low} to {high}")
    return eight(value)

def words(value):
    need(type(value) is str, "a value is no text")
    return eight(len(value.encode())) + value.encode()

def amount(value):
    return eight(integer(value, LOWEST))

def optional(encoded, value, *limits):
    return b"\x00" if value is None else b"\x01" + encoded(value, *limits)

def is_strict_point(encoded):
    """Whether it is a point of the curve -x^2 + y^2 = 1 + d x^2 y^2, in its one form, and not of small order."""
    y, d = int.from_bytes(encoded, "little") % 2**255, -121665 * pow(121666, -1, PRIME)
    # Of order 1 or 2 where y^2 = 1, of 4 where y = 0, and of 8 where twice the point has y = 0.
    small = y * (y * y - 1) * (d * y**4 + 2 * y * y - 1) % PRIME == 0
    x_squared = (y * y - 1) * pow(d * y * y + 1, -1, PRIME)
    return y < PRIME and not small and pow(x_squared, (PRIME - 1) // 2, PRIME) == 1

def has_signed(public, message, signature):
    """The package compares S*B - k*A with R, byte for byte. What else is demanded of S and R is checked here."""
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= ORDER or not is_strict_point(signature[:32]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True

def read_key(line):
    name, said, key = [*line.split("+", 2), "", ""][:3]
    key = base_64(key, 33)
    need(key[0] in (LOG, WITNESS), "it is no key of a log or of a witness")
    known_by = sha256(named(name).encode(), b"\n", key)[:4]
    need(said == known_by.hex(), "the id is not that of the name and the key")
    need(is_strict_point(key[1:]), "the key is no point of Ed25519, or of small order")
    return Key(name, known_by, key[0], key[1:])

def read_keys(lines):
    keys = []
    for raw in lines.file:
        lines.number += 1
        line = AROUND.sub("", raw.decode("utf-8"))
        if line and not line.startswith("#"):
            keys.append(read_key(line))
    need(any(key.kind == LOG for key in keys), "no key of a log is in the file")
    return keys


class Lines:
    """The lines of a file, one after the other, without their line feeds."""

    def __init__(self, file):
        self.file, self.number, self.left = file, 0, MOST_BYTES

    def next_or_end(self):
        raw = self.file.readline(MOST_OF_LINE + 2)
        if not raw:
            return None
        self.number += 1
        self.left -= len(raw)
        line = raw.removesuffix(b"\n")
        need(len(line) <= MOST_OF_LINE, f"it is longer than {MOST_OF_LINE} bytes")
        need(self.left >= 0, "with it, the file or its checkpoint is too long")
        need(len(line) < len(raw), "no line feed ends it")
        need(min(line, default=0x20) >= 0x20, "it has a control character")
        return line.decode("utf-8")

    def next(self):
        line = self.next_or_end()
        need(line is not None, "the file ends too early")
        return line

    def exactly(self, *texts):
        line = self.next()
        need(line in texts, " or ".join(f"`{text}`" for text in texts) + " is not there")
        return line

    def value_of(self, name, separator=": "):
        line, start = self.next(), name + separator
        need(line.startswith(start), f"`{start}` is not there")
        return line.removeprefix(start)

    def hashes(self, start, end):
        found = []
        while (line := self.next()) != end:
            need(line.startswith(start), f"neither `{start}` nor `{end}` is there")
            found.append(base_64(line.removeprefix(start), 32))
            need(len(found) <= MOST_HASHES, f"there are more than {MOST_HASHES} hashes")
        return found


class Book:
    """What the file says of the book, with the hashes of its transactions."""

    def __init__(self, lines):
        lines.exactly("== book")
        self.origin = named(lines.value_of("origin"))
        self.number = integer(lines.value_of("book"), -SAFE, SAFE)
        self.month = lines.value_of("month")
        begins, ends = milliseconds_of(self.month)
        check_moment(lines.value_of("made"))
        first, _, digest = lines.value_of("previous").partition(" ")
        self.first = self.last = integer(first, 0, SAFE)
        self.hashes = bytearray(hexadecimal(digest))  # of `previous` and of each transaction, 32 bytes each
        need(self.first or not any(self.hashes), "the hash before the beginning of a book is not 64 zeros")
        # Of each account that is compared: numbers of transactions that moved it, and its balances after them.
        self.moved = {code: (array("q"), array("q")) for code, _ in COMPARED.values()}
        count = integer(lines.value_of("transactions"), 0, SAFE)
        need(self.first or count, "there is no transaction, and none before")
        for nth in range(count):
            recorded = self.add(lines.next())
            need(recorded < ends, "it was recorded after the month")
            need(recorded >= begins or nth, "the first one was recorded before the month")

    def hash_of(self, number):
        at = 32 * (number - self.first)
        return bytes(self.hashes[at : at + 32])

    def add(self, line):
        """Takes the transaction of a line. Returns when it was recorded."""
        try:
            values = json.loads(line)
            form = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        except (ValueError, RecursionError):
            form = None
        need(form == line, "it is no JSON, or not in its one form")
        need(type(values) is list and len(values) == 11, "it is no array of 11 values")
        number, kind, document, its_number, happened, recorded, key, who, reason, terms, entries = values
        need(type(number) is int and number == self.last + 1, f"its number is not {self.last + 1}")
        need(type(entries) is list, "the entries are no array")
        parts = [words("placard ledger 1" if terms is None else "placard ledger 2"), self.hash_of(self.last)]
        parts += [eight(self.number), whole(number, 1), whole(kind, 1), words(document), whole(its_number)]
        parts += [whole(happened), whole(recorded, 0, 253_402_300_799_999)]
        parts += [optional(words, key), words(who), words(reason)]
        parts += [b"" if terms is None else hexadecimal(terms), eight(len(entries))]
        for entry in entries:
            parts += self.entry(number, entry)
        self.hashes += sha256(*parts)
        self.last = number
        return recorded

    def entry(self, number, entry):
        need(type(entry) is list and len(entry) == 6, "an entry is no array of 6 values")
        account, owner, plan, moved, balance, kind = entry
        parts = [whole(account, 1), whole(owner), whole(plan), amount(moved)]
        parts += [optional(whole, kind, 1), optional(amount, balance)]
        if owner == self.number and account in self.moved and balance is not None:
            for column, value in zip(self.moved[account], (number, int(balance))):
                column.append(value)
        return parts


class Balances:
    """The record of a day, and the way from the user's balances to it."""

    def __init__(self, lines, book):
        lines.exactly("placard balances 1")
        self.line, record = lines.number, {}

        def of_record(name):
            return record.setdefault(name, lines.value_of(name))

        need(of_record("origin") == book.origin, "the origin is not that of the book")
        self.day = of_record("day")
        need(re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", self.day), "a day is not there")
        leaves = integer(of_record("leaves"))
        need(leaves.bit_count() == 1, "the number of leaves is no power of two")
        accounts = of_record("accounts").split(" ")
        need(all(accounts) and len(set(accounts)) == len(accounts), "a name of an account is empty, or there twice")

        def sums_of(texts):
            need(len(texts) == len(accounts), "there are not as many sums as accounts")
            return [integer(text) for text in texts]

        totals = sums_of(of_record("totals").split(" "))
        aim = (base_64(of_record("root"), 32), totals)
        text = "".join(f"{name}: {value}\n" for name, value in record.items())
        self.record = sha256(b"placard balances 1\n", text.encode())
        place, salt, number, *sums = (lines.value_of("leaf") + "  ").split(" ")
        place, salt, self.number, sums = integer(place), hexadecimal(salt), integer(number), sums_of(sums[:-2])
        need(place < leaves, "the place is not below the number of leaves")
        need(self.number, "the number is 0, which is nobody's")
        need(book.first <= self.number <= book.last, "the number is not `previous`, nor that of a transaction here")
        self.own = dict(zip(accounts, sums))
        node = sha256(b"placard balance 1", salt, book.hash_of(self.number), *map(eight, [self.number, *sums]))
        for level in range(leaves.bit_length() - 1):
            digest, *others = lines.value_of("sum").split(" ")
            pair = [(node, sums), (base_64(digest, 32), sums_of(others))]
            if place >> level & 1:
                pair.reverse()
            node = sha256(b"placard sum 1", *(part for digest, of in pair for part in (digest, *map(eight, of))))
            sums = [left + right for left, right in zip(pair[0][1], pair[1][1])]
            need(max(sums) <= HIGHEST, f"a sum is above {HIGHEST}")
        self.leads = (node, sums) == aim
        self.index, self.hashes = integer(lines.value_of("index")), lines.hashes("hash: ", "== inclusion")

    def check(self, book, checkpoint):
        checkpoint.check("the record", self.line, self.record, self.index, self.hashes)
        need(self.leads, "the balances do not lead to the record's root and totals", self.line + 7)
        for name, (account, sign) in COMPARED.items():
            numbers, after = book.moved[account]
            moved = bisect.bisect_right(numbers, self.number)
            same = not moved or name not in self.own or self.own[name] == sign * after[moved - 1]
            need(same, f"`{name}` is not what the book says up to transaction {self.number}", self.line + 7)


class Checkpoint:
    """The end of the file: the log's size and root, and who signed them."""

    def __init__(self, lines, origin):
        lines.left = min(lines.left, MOST_OF_CHECKPOINT)
        text = [lines.exactly(origin)]
        self.origin, self.line, self.signatures = origin, lines.number, []
        while line := lines.next():
            text.append(line)
        need(len(text) > 2, "number of leaves and root are not there")
        self.size, self.root = integer(text[1]), base_64(text[2], 32)
        while (line := lines.next_or_end()) is not None:
            parts = line.split(" ")
            need(len(parts) == 3 and parts[0] == "—", "it is no signature: `— name base64`")
            self.signatures.append((lines.number, named(parts[1]), base_64(parts[2])))
            need(len(self.signatures[-1][2]) > 4, "the signature is not longer than four bytes")
        need(0 < len(self.signatures) <= MOST_SIGNATURES, f"there are not 1 to {MOST_SIGNATURES} signatures")
        self.text = "".join(f"{line}\n" for line in text).encode()

    def signers(self, keys):
        """Keys of the log that signed it, and witnesses with the time that each says."""
        logs, witnesses = [], []
        for line, name, signature in self.signatures:
            for key in (key for key in keys if (key.name, key.id) == (name, signature[:4])):
                if key.kind == LOG:
                    fits = has_signed(key.public, self.text, signature[4:])
                    logs += [f"{name}+{key.id.hex()}"] if name == self.origin else []
                else:
                    time = int.from_bytes(signature[4:12], "big")
                    cosigned = f"cosignature/v1\ntime {time}\n".encode() + self.text
                    fits = time <= HIGHEST and has_signed(key.public, cosigned, signature[12:])
                    witnesses.append((name, time))
                need(fits, f"the signature of {name} does not fit the checkpoint", line)
        need(logs, f"no key of the log {self.origin} that was kept has signed the checkpoint", self.line)
        return logs, witnesses

    def check(self, what, line, entry, index, hashes):
        """RFC 9162, section 2.1.3.2."""
        why = f"{what} is not entry {index} of the log"
        need(index < self.size, why, line)
        left, last, node = index, self.size - 1, sha256(b"\x00", entry)
        for sibling in hashes:
            need(last, why, line)
            if left & 1 or left == last:
                node = sha256(b"\x01", sibling, node)
                while left and not left & 1:
                    left, last = left >> 1, last >> 1
            else:
                node = sha256(b"\x01", node, sibling)
            left, last = left >> 1, last >> 1
        need(last == 0 and node == self.root, why, line)


def what_is_proved(lines, keys):
    lines.exactly("placard-proof/1")
    book = Book(lines)
    section = lines.exactly("== balances", "== inclusion")
    balances = Balances(lines, book) if section == "== balances" else None
    lines.exactly("c2sp.org/tlog-proof@v1")
    index, at, hashes = integer(lines.value_of("index", " ")), lines.number, lines.hashes("", "")
    checkpoint = Checkpoint(lines, book.origin)
    logs, witnesses = checkpoint.signers(keys)
    checkpoint.check("the book up to its last transaction", at, book.hash_of(book.last), index, hashes)
    if balances:
        balances.check(book, checkpoint)
    told = [
        f"book {book.number}, {book.month}: {book.last - book.first} transactions after number {book.first}",
        f"which has the hash {book.hash_of(book.first).hex()}: the file of the month before must end with it",
        f"the book up to number {book.last} is entry {index} of {checkpoint.size} of the log {book.origin}",
        f"signed by {', '.join(logs)}" + "".join(f"; cosigned by {name}, time {time}" for name, time in witnesses),
    ]
    if balances:
        told.append(f"part of all money of {balances.day}, up to number {balances.number}: {balances.own}")
    return told

def read(path, reader, *others):
    """What the reader makes of a file. Else the program ends with one line."""
    try:
        with open(path, "rb") as file:
            lines = Lines(file)
            return reader(lines, *others)
    except OSError as error:
        why = error.strerror
    except UnicodeDecodeError:
        why = f"line {lines.number}: it is not UTF-8"
    except Refused as refused:
        why = f"line {refused.args[1] or lines.number}: {refused.args[0]}"
    sys.exit(f"{path}: {why}")

def main():
    parser = argparse.ArgumentParser(description="Checks a proof file of Placard.", allow_abbrev=False)
    parser.add_argument("proof", help="the proof file")
    parser.add_argument("--key", required=True, metavar="FILE", help="keys of the log, and of witnesses, that you kept")
    given = parser.parse_args()
    told = read(given.proof, what_is_proved, read(given.key, read_keys))
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(*told, sep="\n", flush=True)
    except OSError as error:
        # Python would try once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"what is proved cannot be told: {error.strerror}")

if __name__ == "__main__":
    main()
