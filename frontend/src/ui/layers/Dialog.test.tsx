import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { RadioList } from '@/ui/form/RadioList';
import { SwitchField } from '@/ui/form/SwitchField';
import { Dialog } from './Dialog';
import { Sheet } from './Sheet';

function Example() {
  const [open, setOpen] = useState(false);
  const [inner, setInner] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="Outer"
        actions={<button type="button">Last</button>}
      >
        <button type="button" onClick={() => setInner(true)}>
          Further
        </button>
        <Dialog open={inner} onClose={() => setInner(false)} title="Inner">
          Text
        </Dialog>
      </Sheet>
    </>
  );
}

describe('Dialog', () => {
  it('takes the focus in and gives it back', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog', { name: 'Outer' });
    expect(dialog).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('keeps the focus inside, both ways round', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.tab({ shift: true });
    expect(screen.getByRole('button', { name: 'Last' })).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  });

  it('keeps the focus inside where radio buttons are last, though others and drawings follow', async () => {
    const options = ['a', 'b'].map((value) => ({ value, content: value }));
    render(
      <Sheet open onClose={() => {}} title="Choice">
        <RadioList legend="Letters" options={options} value="a" onChange={() => {}} />
      </Sheet>,
    );
    screen.getByRole('button', { name: 'Close' }).focus();
    await userEvent.tab({ shift: true });
    expect(screen.getByRole('radio', { name: 'a' })).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  });

  it('stops at no drawing, where a browser does not know what is inert', async () => {
    render(<SwitchField label="Alerts" checked={false} onChange={() => {}} />);
    await userEvent.tab();
    expect(screen.getByRole('switch', { name: 'Alerts' })).toHaveFocus();
    await userEvent.tab();
    expect(document.body).toHaveFocus();
  });

  it('closes the topmost alone on Esc', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.click(screen.getByRole('button', { name: 'Further' }));
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog', { name: 'Inner' })).toBeNull();
    expect(screen.getByRole('dialog', { name: 'Outer' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Further' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the page behind from scrolling, and lets it go again', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(document.body).toHaveClass('rv-overflow-hidden');
    await userEvent.keyboard('{Escape}');
    expect(document.body).not.toHaveClass('rv-overflow-hidden');
  });
});
