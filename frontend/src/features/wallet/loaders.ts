import { propertyQuery } from '@/api/use-property';
import { basicConfigQuery } from '@/shared/config/basic-config';
import type { Read } from '@/shared/page/read';
import { acceptorsQuery, exchangesQuery } from './exchange/queries';
import { bankCardQuery, flowQuery, planNumberQuery, withdrawalsQuery } from './queries';
import { rechargesQuery, waitingRechargesQuery } from './recharge/queries';
import { everyLine, flowFilterOf, hasMonths } from './statement/flow-filter';

export const readWallet: Read = (client, search) => {
  const filter = flowFilterOf(search);
  return [
    client.ensureQueryData(propertyQuery),
    client.ensureQueryData(waitingRechargesQuery),
    client.ensureInfiniteQueryData(flowQuery(filter)),
    // For the chart of months, whatever the list is filtered by.
    ...(hasMonths(filter) ? [client.ensureInfiniteQueryData(flowQuery(everyLine))] : []),
    ...(filter.plan ? [client.ensureQueryData(planNumberQuery(filter.plan))] : []),
  ];
};

export const readProperty: Read = (client) => [client.ensureQueryData(propertyQuery)];

export const readRecharges: Read = (client) => [client.ensureInfiniteQueryData(rechargesQuery)];

export const readCard: Read = (client) => [
  client.ensureQueryData(propertyQuery),
  client.ensureQueryData(bankCardQuery),
  client.ensureQueryData(basicConfigQuery()),
];

export const readWithdrawal: Read = (client, search) => [
  ...readCard(client, search),
  client.ensureInfiniteQueryData(withdrawalsQuery),
];

export const readExchange: Read = (client) => [
  client.ensureQueryData(propertyQuery),
  client.ensureInfiniteQueryData(exchangesQuery),
  client.ensureQueryData(acceptorsQuery('personal')),
];
