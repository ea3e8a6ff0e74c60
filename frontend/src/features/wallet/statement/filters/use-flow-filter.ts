import { useAddressChoice } from '@/shared/navigation/use-address-choice';
import { addressOf, flowFilterOf } from './flow-filter';

export const useFlowFilter = () => useAddressChoice(flowFilterOf, addressOf);
