import { type ReactNode, useState } from 'react';

type Props<V> = { start: V; children: (value: V, change: (value: V) => void) => ReactNode };

/** Keeps a value for a field that is told its value from outside. */
export function Held<V>({ start, children }: Props<V>) {
  const [value, setValue] = useState(start);
  return children(value, setValue);
}
