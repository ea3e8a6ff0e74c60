import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { setUser } from '@/api/user';
import { languageName } from '@/i18n/language-name';
import { type AppLanguage, bcp47 } from '@/i18n/languages';
import { availableLanguages, chooseLanguage, currentLanguage, isAvailable } from '@/i18n/texts';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { RadioList } from '@/ui/form/RadioList';
import { Sheet } from '@/ui/layers/Sheet';
import { isReadOnly } from './read-only';

type Props = { open: boolean; onClose(): void };

export function LanguageSheet({ open, onClose }: Props) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<AppLanguage>(currentLanguage());
  const [busy, setBusy] = useState(false);
  const options = useLanguages(open);
  const confirm = async () => {
    setBusy(true);
    // Every text on the page changes, so the button first shows that it was pressed.
    await painted();
    try {
      // The sheet may have been closed meanwhile, and another language chosen.
      if (!(await chooseLanguage(picked))) return;
      onClose();
      tellServer(picked);
    } catch {
      showToast(t('app.language.failed'), 'failure');
    } finally {
      setBusy(false);
    }
  };
  const use = (
    <Button loading={busy} onClick={confirm}>
      {t('app.language.confirm')}
    </Button>
  );
  return (
    <Sheet open={open} title={t('app.language.title')} onClose={onClose} actions={use}>
      <RadioList
        legend={t('app.language.title')}
        hideLegend
        dense
        options={options.map(({ value, text, lang }) => ({
          value,
          content: <span lang={lang}>{text}</span>,
        }))}
        value={picked}
        onChange={setPicked}
      />
    </Sheet>
  );
}

type Option = { value: AppLanguage; text: string; lang: string };

const bundled: Option[] = availableLanguages.map((lang) => ({
  value: lang,
  text: languageName(lang),
  lang: bcp47(lang),
}));

/** The server's list, limited to languages with texts; the files' own until it arrives. */
function useLanguages(open: boolean): Option[] {
  const [options, setOptions] = useState(bundled);
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    call('GET', '/auth/v2/lang', { inline: ['all'] })
      .then(({ languages }) => {
        const listed = languages.flatMap(({ lang, description }) =>
          isAvailable(lang) ? { value: lang, text: description, lang: bcp47(lang) } : [],
        );
        if (wanted && listed.length > 0) setOptions(listed);
      })
      .catch(() => {});
    return () => {
      wanted = false;
    };
  }, [open]);
  return options;
}

function painted() {
  return new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Later messages by the server should be in this language too; a failure is not worth an error. */
function tellServer(lang: AppLanguage) {
  if (!session.get().token || isReadOnly()) return;
  call('POST', '/user/info/edit', { body: { lang }, inline: ['all'] })
    .then((user) => setUser(user))
    .catch(() => {});
}
