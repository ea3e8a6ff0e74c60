import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/controls/IconButton';
import styles from './ExplainButton.module.css';

type Props = { explained: boolean; onChange: (explained: boolean) => void };

/**
 * A button in the head of a card that explains its figures. The explanations take much room, and
 * are needed only once.
 */
export function ExplainButton({ explained, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <IconButton
      icon="info"
      className={styles.explain}
      label={t(explained ? 'adCenter.explain.hide' : 'adCenter.explain.show')}
      aria-expanded={explained}
      onClick={() => onChange(!explained)}
    />
  );
}
