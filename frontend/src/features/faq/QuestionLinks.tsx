import { Link } from 'react-router-dom';
import type { Question } from '@/api/types';
import { Icon } from '@/ui/Icon';
import styles from './FaqPage.module.css';

type Props = { label: string; questions: readonly Question[]; replace?: boolean };

export function QuestionLinks({ label, questions, replace = false }: Props) {
  return (
    <ul className={styles.list} aria-label={label}>
      {questions.map(({ id, question }) => (
        <li key={id}>
          <Link
            className={styles.link}
            to={`/ad-center/ques-detail?id=${encodeURIComponent(id)}`}
            replace={replace}
          >
            <span className={styles.disc}>
              <Icon name="question" size={22} />
            </span>
            <span className={styles.question}>{question}</span>
            <Icon name="chevron" size={18} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
