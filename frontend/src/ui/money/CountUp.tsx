import { useCountUp } from './use-count-up';

type Props = {
  /** A decimal. */
  value: string;
  format: (value: string) => string;
  /** Which figure it is, where one place shows several by turns. */
  of?: string;
};

/** A figure that counts to its new value. Screen readers are told the value alone, and once. */
export function CountUp({ value, format, of = '' }: Props) {
  const shown = useCountUp(value, of);
  const moving = shown !== value;
  return (
    <>
      <span className={moving ? 'visually-hidden' : undefined}>{format(value)}</span>
      {moving && <span aria-hidden="true">{format(shown)}</span>}
    </>
  );
}
