import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/controls/IconButton';
import styles from './SearchField.module.css';
import { longestSearch } from './search-limit';
import { TextField } from './TextField';

/** In milliseconds. While somebody is typing, nothing is requested. */
const pause = 400;

type Props = {
  /** The name of the field: what it finds, and by which properties. */
  label: string;
  /** A shorter text, if the whole label has no room. */
  placeholder?: string;
  value: string;
  onSearch: (text: string) => void;
  /** Whether it is the search of the page, and one of its landmarks. In a sheet it is not. */
  landmark?: boolean;
};

/** Finds by what somebody remembers, after a pause, or at once with Enter or by going elsewhere. */
export function SearchField({
  label,
  placeholder = label,
  value,
  onSearch,
  landmark = true,
}: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const form = useRef<HTMLFormElement>(null);
  // The texts that were sent. Until the address has them, somebody may have typed on.
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const known = sent.current.indexOf(value);
    if (known < 0) setText(value);
    else sent.current.splice(0, known + 1);
  }, [value]);
  const search = (typed: string) => {
    const next = typed.trim();
    if (isTooLong(next) || next === (sent.current.at(-1) ?? value)) return;
    sent.current.push(next);
    onSearch(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wait begins anew with each letter alone.
  useEffect(() => {
    const waiting = setTimeout(() => search(text), pause);
    return () => clearTimeout(waiting);
  }, [text]);
  return (
    <form
      role={landmark ? 'search' : undefined}
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        search(text);
      }}
    >
      <TextField
        label={label}
        // Said, and not cut: what was pasted is all there to be shortened.
        error={isTooLong(text.trim()) ? t('fields.too_long') : null}
        placeholder={placeholder}
        value={text}
        onChange={setText}
        // Search at once, because the next press may remove the field.
        onBlur={() => search(text)}
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        after={
          text && (
            <IconButton
              icon="close"
              size={18}
              label={t('ui.clearSearch')}
              onClick={() => {
                setText('');
                search('');
                form.current?.querySelector('input')?.focus();
              }}
            />
          )
        }
      />
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        {t('ui.startSearch')}
      </button>
    </form>
  );
}

const isTooLong = (text: string) => [...text].length > longestSearch;
