import { useSearchParams } from 'react-router-dom';
import { addressOf, type FlowFilter, flowFilterOf } from './flow-filter';

export function useFlowFilter(): [FlowFilter, (filter: FlowFilter) => void] {
  const [params, setParams] = useSearchParams();
  const setFilter = (filter: FlowFilter) => setParams(addressOf(filter), { replace: true });
  return [flowFilterOf(params), setFilter];
}
