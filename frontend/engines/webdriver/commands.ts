/** What a browser is asked: as a request of W3C WebDriver, and as Gecko's own name for it. */
export const commands = {
  open: { request: 'POST url', marionette: 'WebDriver:Navigate' },
  reload: { request: 'POST refresh', marionette: 'WebDriver:Refresh' },
  resize: { request: 'POST window/rect', marionette: 'WebDriver:SetWindowRect' },
  run: { request: 'POST execute/sync', marionette: 'WebDriver:ExecuteScript' },
  click: { request: 'POST element/{id}/click', marionette: 'WebDriver:ElementClick' },
  clear: { request: 'POST element/{id}/clear', marionette: 'WebDriver:ElementClear' },
  type: { request: 'POST element/{id}/value', marionette: 'WebDriver:ElementSendKeys' },
  picture: { request: 'GET screenshot', marionette: 'WebDriver:TakeScreenshot' },
} as const;

export type Command = keyof typeof commands;
export type Parameters = Record<string, unknown>;

export type Browser = {
  ask(command: Command, parameters?: Parameters): Promise<unknown>;
};

/** No command takes that long; a browser that is silent for longer hangs. */
export const patience = 60_000;
