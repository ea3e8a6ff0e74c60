import { useState } from 'react';
import { ExcludeButton } from '@/shared/exclusions/ExcludeButton';
import { IncludeButton } from '@/shared/exclusions/IncludeButton';
import type { Place } from '@/shared/exclusions/use-exclusion';

type Props = { name: string; place: Place };

/** Excludes a place for all plans, and takes it back as long as it is in sight. */
export function PlacementControl({ name, place }: Props) {
  const [isOut, setIsOut] = useState(false);
  return isOut ? (
    <IncludeButton name={name} place={place} scope="all" onDone={() => setIsOut(false)} />
  ) : (
    <ExcludeButton name={name} place={place} onChange={setIsOut} />
  );
}
