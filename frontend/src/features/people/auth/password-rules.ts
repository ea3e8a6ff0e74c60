import type { ParseKeys } from 'i18next';

const SHORTEST = 8;

type PasswordRule = { rule: 'length' | 'own'; kept: boolean };

/**
 * The server's rules, as far as they can be checked here: whether a password is one of the most
 * common ones, only the server knows.
 */
export function passwordRules(password: string, username: string): PasswordRule[] {
  const own = username.trim().toLowerCase();
  return [
    { rule: 'length', kept: [...password].length >= SHORTEST },
    { rule: 'own', kept: password !== '' && password.toLowerCase() !== own },
  ];
}

/** The first rule that a password breaks, as the problem of its field. */
export function passwordProblem(password: string, username: string): ParseKeys | null {
  const broken = passwordRules(password, username).find(({ kept }) => !kept);
  return broken ? `auth.rule.${broken.rule}` : null;
}
