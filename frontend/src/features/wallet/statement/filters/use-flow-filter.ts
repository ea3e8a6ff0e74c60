import { useSearchParams } from 'react-router-dom';
import { type FlowFilter, flowFilterOf } from './flow-filter';

export function useFlowFilter(
  months: readonly string[],
): [FlowFilter, (filter: FlowFilter) => void] {
  const [params, setParams] = useSearchParams();
  const setFilter = ({ month, stretch, plan, kind }: FlowFilter) =>
    setParams(
      { ...(month && { month }), ...stretch, ...(plan && { plan }), ...(kind && { kind }) },
      { replace: true },
    );
  return [flowFilterOf(params, months), setFilter];
}
