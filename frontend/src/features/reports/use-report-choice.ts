import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { addressOf, type ReportChoice, reportChoiceOf } from './report-choice';

/** What is chosen, as the address says it, and how to change a part of it. */
export function useReportChoice(): [ReportChoice, (part: Partial<ReportChoice>) => void] {
  const [params, setParams] = useSearchParams();
  const choice = reportChoiceOf(params);
  // The address follows a moment later, when something else may have been chosen.
  const latest = useRef(choice);
  latest.current = choice;
  const change = (part: Partial<ReportChoice>) => {
    latest.current = { ...latest.current, ...part };
    // Replaced, not added: the back arrow leads out of the report, not through its choices.
    setParams(addressOf(latest.current), { replace: true });
  };
  return [choice, change];
}
