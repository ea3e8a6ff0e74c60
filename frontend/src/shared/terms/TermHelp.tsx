import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OnDemand } from '@/shared/page/OnDemand';
import { IconButton } from '@/ui/controls/IconButton';
import { dismissHint } from './hint';
import styles from './TermHelp.module.css';
import type { TermSheetProps } from './TermSheet';
import { useTermName } from './use-term-name';

export const loadTermSheet = async () => (await import('./TermSheet')).TermSheet;

type Props = Omit<TermSheetProps, 'onClose'>;

/** A question mark beside a figure; the explanation is loaded on demand. */
export function TermHelp(props: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const name = useTermName(props.term);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        icon="question"
        size={18}
        label={t('terms.what', { term: name })}
        className={styles.help}
        data-term={props.term}
        aria-haspopup="dialog"
        onClick={() => {
          dismissHint();
          setOpen(true);
        }}
      />
      {open && (
        <OnDemand load={loadTermSheet} onMissing={close} props={{ ...props, onClose: close }} />
      )}
    </>
  );
}
