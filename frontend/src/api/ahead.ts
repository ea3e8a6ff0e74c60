/*
 * A page's questions, asked while its code is still on the way: on a slow line that is one round
 * trip less before its figures are there.
 */
const asked = new Map<string, Promise<unknown>>();

/** As long as a figure that was just read is not read again. */
const fresh = 10_000;

export function askAhead<T>(question: string, answer: Promise<T>) {
  asked.set(question, answer);
  const forget = () =>
    setTimeout(() => asked.get(question) === answer && asked.delete(question), fresh);
  // Whoever takes it hears of its failure.
  answer.then(forget, forget);
}

/** The answer to a question that was asked ahead: once, and never an old one. */
export function takeAhead<T>(question: string): Promise<T> | undefined {
  const answer = asked.get(question) as Promise<T> | undefined;
  asked.delete(question);
  return answer;
}
