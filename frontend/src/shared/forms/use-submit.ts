import i18next from 'i18next';
import { useRef, useState } from 'react';
import { ApiError } from '@/api/errors';

/** A server's field error, such as `invalid_email`, in the reader's language. */
function fieldText(code: string): string {
  const key = `fields.${code}`;
  return i18next.exists(key) ? i18next.t(key as never) : i18next.t('app.error.system');
}

/**
 * One submission at a time. The server's field errors are returned as texts for the form; the call
 * has reported all other errors. What was typed stays in the form's own state.
 */
export function useSubmit(action: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [fields, setFields] = useState<Record<string, string>>({});
  const running = useRef(false);
  const submit = async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action();
    } catch (error) {
      if (error instanceof ApiError && error.code === 400) {
        const texts = Object.entries(error.fields).map(([name, code]) => [name, fieldText(code)]);
        setFields(Object.fromEntries(texts));
      }
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, fields, setFields, submit };
}
