/** The reasons for refusing a proof file. */
export type Fault =
  /** It is not a proof file, or not written in the valid form. */
  | 'form'
  /** The transactions are not those that the log has. */
  | 'inclusion'
  /** The checkpoint belongs to another log than the one of the keys. */
  | 'origin'
  /** The log's key did not sign the checkpoint. */
  | 'signature'
  /** A witness whose key is known did not sign it as it stands there. */
  | 'cosignature'
  /** The balances are not those of the day's record, or not those of the book. */
  | 'balances';

/** A file that does not hold; the line counts from 1. */
export class ProofFailure extends Error {
  constructor(
    readonly fault: Fault,
    message: string,
    readonly line: number | null = null,
  ) {
    super(line === null ? message : `line ${line}: ${message}`);
  }
}
