import type { Question } from '@/api/types';
import { MenuRow } from '@/ui/controls/MenuRow';
import styles from './FaqPage.module.css';

type Props = { label: string; questions: readonly Question[]; replace?: boolean };

export function QuestionLinks({ label, questions, replace = false }: Props) {
  return (
    <ul className={styles.list} aria-label={label}>
      {questions.map(({ id, question }) => (
        <li key={id}>
          <MenuRow
            icon="question"
            label={question}
            to={`/ad-center/ques-detail?id=${encodeURIComponent(id)}`}
            replace={replace}
          />
        </li>
      ))}
    </ul>
  );
}
