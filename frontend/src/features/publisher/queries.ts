import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readAsPublisher } from '@/api/publisher';

export function usePublisher(link: string) {
  return useQuery({
    queryKey: ['publisher', link, 'info'],
    queryFn: ({ signal }) => readAsPublisher(link, '/publisher/info', null, signal),
  });
}

export function usePublisherSlots(link: string) {
  return useQuery({
    queryKey: ['publisher', link, 'slots'],
    queryFn: ({ signal }) => readAsPublisher(link, '/publisher/slots', null, signal),
  });
}

export type Period = { from: string; until: string; slot: string | null };

export function usePublisherFigures(link: string, { from, until, slot }: Period) {
  return useQuery({
    queryKey: ['publisher', link, 'figures', from, until, slot],
    queryFn: ({ signal }) =>
      readAsPublisher(link, '/publisher/figures', { from, until, slot }, signal),
    placeholderData: keepPreviousData,
  });
}

export function usePublisherMonths(link: string) {
  return useQuery({
    queryKey: ['publisher', link, 'months'],
    queryFn: ({ signal }) => readAsPublisher(link, '/publisher/months', null, signal),
  });
}

/** A month's statement, fetched when it is opened. */
export function usePublisherStatement(link: string, month: string) {
  return useQuery({
    queryKey: ['publisher', link, 'statement', month],
    queryFn: ({ signal }) => readAsPublisher(link, '/publisher/statement', { month }, signal),
  });
}
