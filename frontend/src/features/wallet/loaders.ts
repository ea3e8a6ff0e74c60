import { propertyQuery } from '@/api/queries/use-property';
import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Loader } from '@/shared/page/loader';
import { acceptorsQuery, exchangesQuery } from './exchange/queries';
import { bankCardQuery, paceQuery, withdrawalsQuery } from './queries';
import { rechargeFormQuery, rechargesQuery, waitingRechargesQuery } from './recharge/queries';
import { everyRow, flowFilterOf } from './statement/filters/flow-filter';
import { daysQuery, planNumberQuery } from './statement/queries';

export const readWallet: Loader = (client, search) => {
  const filter = flowFilterOf(search);
  return [
    client.ensureQueryData(propertyQuery),
    client.ensureInfiniteQueryData(daysQuery(filter)),
    // The unfiltered list also provides the months and kinds to choose from.
    client.ensureInfiniteQueryData(daysQuery(everyRow)),
    client.ensureQueryData(waitingRechargesQuery),
    client.ensureQueryData(rechargeFormQuery),
    ...(filter.plan ? [client.ensureQueryData(planNumberQuery(filter.plan))] : []),
  ];
};

export const readProperty: Loader = (client) => [client.ensureQueryData(propertyQuery)];

export const readRecharges: Loader = (client) => [
  client.ensureInfiniteQueryData(rechargesQuery),
  client.ensureQueryData(rechargeFormQuery),
];

export const readCard: Loader = (client) => [
  client.ensureQueryData(propertyQuery),
  client.ensureQueryData(bankCardQuery),
  client.ensureQueryData(basicConfigQuery()),
];

export const readWithdrawal: Loader = (client, search) => [
  ...readCard(client, search),
  client.ensureInfiniteQueryData(withdrawalsQuery),
  client.ensureQueryData(paceQuery),
];

export const readExchange: Loader = (client) => [
  client.ensureQueryData(propertyQuery),
  client.ensureInfiniteQueryData(exchangesQuery),
  client.ensureQueryData(acceptorsQuery('personal')),
];

export const readMonths: Loader = (client) => [client.ensureInfiniteQueryData(daysQuery(everyRow))];
