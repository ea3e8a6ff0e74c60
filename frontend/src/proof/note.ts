/** Signed notes (C2SP signed-note), and cosignatures of witnesses (C2SP tlog-cosignature). */
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, fromBase64, fromUtf8, readBigEndian, same, toBase64, toHex, utf8 } from './bytes';
import { isPublicKey, signed } from './ed25519';

/** A log's key signs the text itself, a witness's the text with the time. */
const kinds = { log: 1, witness: 4 } as const;
const mark = '— ';
const most = { length: 128 * 1024, signatures: 100 };
const latest = 2n ** 63n - 1n;

/** A public key, written as `name+id+key`. */
export type NoteKey = { kind: keyof typeof kinds; name: string; id: Uint8Array; key: Uint8Array };

type Signature = { name: string; id: Uint8Array; signature: Uint8Array };

/** A note whose signatures were not checked yet, so its text proves nothing. */
export type Note = { text: string; signatures: readonly Signature[] };

export type Cosignature = { name: string; at: bigint };

export const isName = (name: string) => name !== '' && !/[\p{White_Space}\p{Cc}+]/u.test(name);

export function parseKey(text: string): NoteKey | null {
  const [name = '', number = '', ...rest] = text.split('+');
  const bytes = fromBase64(rest.join('+'));
  if (bytes?.length !== 33 || !isName(name)) return null;
  const kind = bytes[0] === kinds.log ? 'log' : bytes[0] === kinds.witness ? 'witness' : null;
  const key = bytes.subarray(1);
  const id = idOf(name, bytes);
  return kind && toHex(id) === number && isPublicKey(key) ? { kind, name, id, key } : null;
}

const idOf = (name: string, bytes: Uint8Array) =>
  sha256(concat(utf8(`${name}\n`), bytes)).subarray(0, 4);
const bytesOf = ({ kind, key }: NoteKey) => concat(Uint8Array.of(kinds[kind]), key);

export function writeKey(key: NoteKey): string {
  return `${key.name}+${toHex(key.id)}+${toBase64(bytesOf(key))}`;
}

/** The same key, for signing under another name. */
export function renamed(key: NoteKey, name: string): NoteKey {
  return { ...key, name, id: idOf(name, bytesOf(key)) };
}

/** Reads one key per line, and comments; null if a line is neither, or no key is a log's. */
export function parseKeys(text: string): NoteKey[] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line && !line.startsWith('#')).map(parseKey);
  const known = keys.filter((key) => key !== null);
  return known.length === keys.length && known.some(({ kind }) => kind === 'log') ? known : null;
}

export function parseNote(bytes: Uint8Array): Note | null {
  if (bytes.length > most.length || bytes.some((byte) => byte < 0x20 && byte !== 0x0a)) return null;
  const note = fromUtf8(bytes);
  const end = note?.lastIndexOf('\n\n') ?? -1;
  if (!note?.endsWith('\n') || end < 0) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > most.signatures) return null;
  const signatures = lines.map(parseSignature).filter((one) => one !== null);
  return signatures.length === lines.length ? { text: note.slice(0, end + 1), signatures } : null;
}

function parseSignature(line: string): Signature | null {
  const [name = '', encoded = '', more] = line.slice(mark.length).split(' ');
  const bytes = fromBase64(encoded);
  if (!line.startsWith(mark) || more !== undefined || !isName(name)) return null;
  if (!bytes || bytes.length <= 4) return null;
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

const by = (key: NoteKey) => (line: Signature) => line.name === key.name && same(line.id, key.id);

/** Whether the log's key signed it: null if not at all, false if a signature in its name does not fit. */
export function isSigned(note: Note, key: NoteKey): boolean | null {
  const own = note.signatures.filter(by(key));
  if (own.length === 0) return null;
  return own.every(({ signature }) => signed(key.key, utf8(note.text), signature));
}

/** When a witness signed it: null if not at all, false if a signature in its name does not fit. */
export function cosigned(note: Note, key: NoteKey): Cosignature | false | null {
  const own = note.signatures.filter(by(key));
  const times = own.map(({ signature }) => timeOf(note.text, signature, key));
  if (times.includes(null)) return false;
  const known = times.filter((at) => at !== null);
  if (known.length === 0) return null;
  return { name: key.name, at: known.reduce((one, other) => (other > one ? other : one)) };
}

function timeOf(text: string, signature: Uint8Array, { key }: NoteKey): bigint | null {
  const at = readBigEndian(signature.subarray(0, 8));
  if (signature.length !== 72 || at > latest) return null;
  const message = utf8(`cosignature/v1\ntime ${at}\n${text}`);
  return signed(key, message, signature.subarray(8)) ? at : null;
}
