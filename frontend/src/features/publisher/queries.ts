import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readAsPublisher } from '@/api/publisher';
import type {
  PublisherFigures,
  PublisherInfo,
  PublisherMonths,
  PublisherSlots,
  PublisherStatement,
} from '@/api/types';

/** Of each link on its own: a page may be opened by another one. */
const key = (link: string, ...what: (string | null)[]) => ['publisher', link, ...what];

export function usePublisher(link: string) {
  return useQuery({
    queryKey: key(link, 'info'),
    queryFn: ({ signal }) => readAsPublisher<PublisherInfo>(link, '/info', {}, signal),
  });
}

export function usePublisherSlots(link: string) {
  return useQuery({
    queryKey: key(link, 'slots'),
    queryFn: ({ signal }) => readAsPublisher<PublisherSlots>(link, '/slots', {}, signal),
  });
}

export type Period = { from: string; until: string; slot: string | null };

export function usePublisherFigures(link: string, { from, until, slot }: Period) {
  return useQuery({
    queryKey: key(link, 'figures', from, until, slot),
    queryFn: ({ signal }) =>
      readAsPublisher<PublisherFigures>(link, '/figures', { from, until, slot }, signal),
    placeholderData: keepPreviousData,
  });
}

export function usePublisherMonths(link: string) {
  return useQuery({
    queryKey: key(link, 'months'),
    queryFn: ({ signal }) => readAsPublisher<PublisherMonths>(link, '/months', {}, signal),
  });
}

/** What a month came to; asked when it is opened. */
export function usePublisherStatement(link: string, month: string) {
  return useQuery({
    queryKey: key(link, 'statement', month),
    queryFn: ({ signal }) =>
      readAsPublisher<PublisherStatement>(link, '/statement', { month }, signal),
  });
}
