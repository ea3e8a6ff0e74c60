import { createStore } from '@/external-store';

type Request = { message: string | null; recharge: boolean };

const request = createStore<Request | null>(null);

/** Opens the contacts from anywhere; `recharge` lists those for recharges. */
export function openCustomerService(given: Partial<Request> = {}) {
  request.set({ message: given.message ?? null, recharge: given.recharge ?? false });
}

export function closeCustomerService() {
  request.set(null);
}

export const useCustomerServiceRequest = request.use;
