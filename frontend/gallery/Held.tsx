import { type ReactNode, useState } from 'react';

type Props<V> = { start: V; children: (value: V, change: (value: V) => void) => ReactNode };

/** Holds the value of a controlled field. */
export function Held<V>({ start, children }: Props<V>) {
  const [value, setValue] = useState(start);
  return children(value, setValue);
}
