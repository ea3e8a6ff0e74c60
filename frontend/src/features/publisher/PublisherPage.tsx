import { ApiError } from '@/api/errors';
import { LinkGone } from '@/shared/link/LinkGone';
import { LinkPage } from '@/shared/link/LinkPage';
import frame from '@/shared/link/LinkPage.module.css';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { FiguresCard } from './FiguresCard';
import { MoneyCard } from './MoneyCard';
import { MonthsCard } from './MonthsCard';
import { usePublisher } from './queries';
import { TagsCard } from './TagsCard';

/** What a publisher reads of itself, by a link of staff; it has no account and no session. */
export function PublisherPage() {
  return <LinkPage page={Page} />;
}

function Page({ link }: { link: string }) {
  const publisher = usePublisher(link);
  const { data: info, error } = publisher;
  if (error instanceof ApiError && error.code === 401) return <LinkGone />;
  if (error && !info) {
    const message = error instanceof ApiError ? error.message : undefined;
    return <Unanswered of={publisher} message={message} />;
  }
  if (!info) return <CardSkeletons className={frame.page} lines={[4, 6]} />;
  return (
    <div className={frame.page}>
      <MoneyCard info={info} />
      <FiguresCard link={link} currency={info.currency} />
      <TagsCard link={link} />
      <MonthsCard link={link} currency={info.currency} />
    </div>
  );
}
