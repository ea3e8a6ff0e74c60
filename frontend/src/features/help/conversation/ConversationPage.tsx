import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Button } from '@/ui/controls/Button';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { LongTextField } from '@/ui/form/LongTextField';
import { MessagesPicture } from '@/ui/illustrations/MessagesPicture';
import { ImageUpload } from '@/ui/images/ImageUpload';
import { clearSent } from '../clear-sent';
import { DraftNotices } from '../DraftNotices';
import { checkImages, tooLong } from '../feedback/feedback.schema';
import { draft, draftKey, draftPictures, maxLength } from './draft';
import { MessageRow } from './MessageRow';
import styles from './Messages.module.css';
import { type Known, lastAnswer } from './messages';
import {
  sendMessage,
  useAppendSent,
  useConversation,
  useMarkRead,
  useOlderMessages,
} from './queries';
import { useStickToBottom } from './use-stick-to-bottom';

/** `instead` is shown while nobody has written, if users are to turn to somebody else. */
export function ConversationPage({ instead }: { instead: ReactNode }) {
  const query = useConversation();
  if (!query.data) return <Unanswered of={query} meanwhile={<CardSkeleton lines={5} />} />;
  if (instead && query.data.messages.length === 0) return instead;
  return <Open known={query.data} readAt={query.dataUpdatedAt} />;
}

type OpenProps = { known: Known; readAt: number };

function Open({ known, readAt }: OpenProps) {
  const { t } = useTranslation();
  const showSent = useAppendSent();
  const end = useStickToBottom(known.messages.at(-1)?.id);
  useReading(known, readAt);
  return (
    <div className={styles.page}>
      <section className={styles.log} role="log" aria-label={t('app.customer.frame')}>
        {known.messages.length === 0 && (
          <EmptyState
            picture={<MessagesPicture />}
            title={t('app.service.ownTitle')}
            description={t('app.service.ownText')}
          />
        )}
        {known.older && <Older first={known.messages[0]?.id} />}
        <ol className={styles.list}>
          {known.messages.map((message, at) => (
            <li key={message.id}>
              {dayOf(message) !== dayOf(known.messages[at - 1]) && (
                <p className={styles.day}>{dayOf(message)}</p>
              )}
              <MessageRow message={message} />
            </li>
          ))}
        </ol>
        {known.status === 'closed' && <p className={styles.closed}>{t('app.customer.closed')}</p>}
      </section>
      <Composer
        onSent={(message) => {
          end.follow();
          showSent(message);
        }}
      />
    </div>
  );
}

/** Earlier messages come above what is being read, which stays where it is. */
function Older({ first }: { first: string | undefined }) {
  const { t } = useTranslation();
  const { load, state } = useOlderMessages();
  const below = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when earlier messages have come.
  useLayoutEffect(() => {
    if (below.current) window.scrollTo(0, document.body.scrollHeight - below.current);
    below.current = 0;
  }, [first]);
  return (
    <div className={styles.older}>
      {state === 'failed' && (
        <p role="alert" className={styles.failed}>
          {t('ui.moreFailed')}
        </p>
      )}
      <Button
        size="small"
        variant="secondary"
        loading={state === 'busy'}
        onClick={() => {
          below.current = document.body.scrollHeight - window.scrollY;
          void load();
        }}
      >
        {t('app.customer.older')}
      </Button>
    </div>
  );
}

/**
 * Marks messages as read while the page is visible. If a call fails, the next refresh repeats it.
 */
function useReading(known: Known, readAt: number) {
  const markRead = useMarkRead();
  const until = known.unread > 0 ? lastAnswer(known)?.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer, and each look at it.
  useEffect(() => {
    if (!until) return;
    const mark = () => {
      if (!document.hidden) void markRead(until);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [until, readAt]);
}

function dayOf(message: Message | undefined): string | null {
  return message ? formatDate(message.created_at) : null;
}

/** The text stays until the server has confirmed the message, also through a reload. */
function Composer({ onSent }: { onSent(message: Message): void }) {
  const { t } = useTranslation();
  const { text } = draft.use();
  const uploads = draftPictures();
  const items = uploads.use();
  const [adding, setAdding] = useState(false);
  const waiting = checkImages(items);
  const nothing = !text.trim() && items.length === 0;
  const wrong = nothing ? 'feedback.required' : tooLong(text, maxLength);
  const form = useForm({
    state: [
      { text, pictures: '' },
      (next) => next.text !== text && draft.change({ text: next.text, key: '' }),
    ],
    problems: { text: wrong, pictures: waiting },
    send: async () => {
      const pictures = uploads.get();
      const ids = pictures.flatMap(({ sent }) => sent?.id ?? []);
      const message = await sendMessage({ text: text.trim(), pictures: ids, key: draftKey() });
      clearSent(draft, uploads, { texts: { text }, pictures });
      setAdding(false);
      onSent(message);
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.props.onSubmit(event);
  };
  return (
    <Form {...form.props} className={styles.composer} onKeyDown={onKeyDown}>
      <LongTextField {...form.field('text')} label={t('app.customer.message')} rows={1} />
      {(adding || items.length > 0) && (
        <ImageUpload label={t('app.customer.pictures')} uploads={uploads} />
      )}
      <DraftNotices
        pictures={form.field('pictures').error}
        waiting={waiting !== null}
        failure={form.failure}
        lost="app.customer.lost"
      />
      <div className={styles.actions}>
        {!adding && items.length === 0 && (
          <Button variant="secondary" icon="plus" onClick={() => setAdding(true)}>
            {t('app.customer.addPictures')}
          </Button>
        )}
        <Button type="submit" loading={form.busy}>
          {t('app.customer.send')}
        </Button>
      </div>
    </Form>
  );
}
