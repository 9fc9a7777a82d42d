import { Heading } from "../parts/feedback.jsx";

export const MissingPage = () => (
  <section class="missing">
    <Heading title="Not found">Page not found</Heading>
    <p>
      <code>{location.pathname}</code> is not a page of this server. Check the address, or start from the list of projects.
    </p>
    <p>
      <a href="/">All projects</a>
    </p>
  </section>
);
