import { Component, type ReactNode } from 'react';
import { PageFailed } from './PageFailed';

/** React tells of a page that cannot be drawn to class components alone. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <PageFailed /> : this.props.children;
  }
}
