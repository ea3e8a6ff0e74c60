import type { ComponentProps, ReactNode } from 'react';
import { Card } from '@/ui/display/Card';
import { InfiniteList } from '@/ui/lists/InfiniteList';

type Props<T> = Omit<ComponentProps<typeof InfiniteList<T>>, 'label'> & {
  title: string;
  aside?: ReactNode;
};

/** A card with nothing but a list, which has the card's title for its name. */
export function ListCard<T>({ title, aside, ...list }: Props<T>) {
  return (
    <Card title={title} aside={aside}>
      <InfiniteList label={title} {...list} />
    </Card>
  );
}
