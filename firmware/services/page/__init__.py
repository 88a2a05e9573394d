"""The service page: what technicians, supervisors and inspectors see of a wheel."""
